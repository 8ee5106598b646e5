/**
 * The types of the failures an activity ends with for good. Temporal puts a thrown error's `name` into the failure's
 * type; these are the names the retry policy must not retry and the workflow reads.
 */
export const finalFailure = {
  /** Did not happen, and never will under this key. Details: `[StepError, Receipt]`. */
  stepFailed: 'StepFailed',
  /** Nobody can tell whether it happened. Details: `[StepError, Receipt]`. */
  outcomeUnknown: 'OutcomeUnknown',
  /** Refused before the provider was asked. */
  planChanged: 'PlanChanged',
  planClosed: 'PlanClosed',
  planInvalid: 'PlanInvalid',
  policyRefused: 'PolicyRefused',
  accountChanged: 'AccountChanged',
} as const;

/** What is known, beside the result, of how a step came by its answer. */
export interface Receipt {
  /** The attempt of the activity that brought the answer, counted from 1. */
  attempts: number;
  /** How often the answer was given again from a record. */
  replays: number;
  answeredBy: 'provider' | 'provider-replay' | 'ledger';
}

/** What an activity of a step returns: what the agent gets, and apart from it the receipt. */
export interface Acted<Result> {
  result: Result;
  receipt: Receipt;
}
