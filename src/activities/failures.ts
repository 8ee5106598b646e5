import { ApplicationFailure } from '@temporalio/activity';
import type { StepError } from '../plan/report.js';
import { finalFailure, type Receipt } from '../plan/step-failure.js';

export const stepFailed = (error: StepError, receipt: Receipt): ApplicationFailure =>
  ApplicationFailure.nonRetryable(error.message, finalFailure.stepFailed, error, receipt);

export const outcomeUnknown = (error: StepError, receipt: Receipt): ApplicationFailure =>
  ApplicationFailure.nonRetryable(error.message, finalFailure.outcomeUnknown, error, receipt);

/** Ends the attempt, not the step: Temporal tries again, after `retryAfter` ms if the provider asked for that. */
export function askAgain({ error, retryAfter }: { error: StepError; retryAfter?: number }): ApplicationFailure {
  return ApplicationFailure.create({
    message: error.message,
    type: error.type,
    details: [error],
    ...(retryAfter === undefined ? {} : { nextRetryDelay: retryAfter }),
  });
}

/** The key was first sent to another account, where it may have taken effect: here it would be a new operation. */
export class AccountChanged extends Error {
  override readonly name = finalFailure.accountChanged;
  constructor(recorded: string | null, current: string | null) {
    super(`This step was first sent to account ${recorded ?? 'none'}, but this worker talks to ${current ?? 'none'}`);
  }
}

/** The worker's own policy does not allow it. */
export class PolicyRefused extends Error {
  override readonly name = finalFailure.policyRefused;
}
