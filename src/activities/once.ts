import type { Logger } from 'pino';
import {
  ambiguousAsks,
  type ActionRecord,
  type Claim,
  isSettled,
  type Ledger,
  type Settlement,
} from '../ledger/ledger.js';
import type { StepError } from '../plan/report.js';
import type { Acted, Receipt } from '../plan/step-failure.js';
import type { Answer, Failure } from './answer.js';
import type { BreakAt } from './break-point.js';
import { AccountChanged, askAgain, outcomeUnknown, stepFailed } from './failures.js';

/** What one tool does, for `once` to do it once. */
export interface Operation<Request, Result> {
  /** What today's code would send. What is sent is what the first claim recorded. */
  request: Request;
  /** The provider's account this worker talks to: keys of another account are other keys. */
  account: string | null;
  /** One request to the provider under `key`, with a hard deadline and no retries. Never throws. */
  ask(request: Request, key: string): Promise<Answer<Result>>;
  /** Reads what became of an effect that was accepted but not final. Never throws. */
  follow?(reference: string, request: Request): Promise<Answer<Result>>;
}

export interface OnceDeps {
  ledger: Ledger;
  log: Logger;
  /** ms since the epoch. */
  now: () => number;
  breakAt: BreakAt;
  /** The activity's attempt, counted from 1. */
  attempt: number;
  /** Throws if this operation may not be done at all; asked only before its first ask. */
  mayBegin: () => void;
}

/** Stripe and Resend keep keys for 24 h; an hour is left for clocks that differ and requests on their way. */
const providerMemory = 23 * 3_600_000;

/** How long to wait before reading again what is not final yet: seconds, as a card network takes. */
const followInterval = 2_000;

/**
 * Does an operation at most once, however often it is called:
 *
 *     claim ──settled──▶ the recorded answer
 *       │
 *      ask, with the recorded request, under the key
 *       │
 *     settle, unless another attempt was faster ──▶ the record is the answer
 *
 * A claim is written before the ask, so a crash at any point leaves a trace of every request that may have been sent.
 * A lost answer ends the attempt with a retryable failure: Temporal tries again, and the same key gives the first
 * answer again.
 */
export async function once<Request, Result>(
  deps: OnceDeps,
  claim: Omit<Claim, 'request' | 'account'>,
  operation: Operation<Request, Result>,
): Promise<Acted<Result>> {
  const { ledger, breakAt } = deps;
  breakAt('before-claim', claim.stepIndex);
  const record = await ledger.claim(
    { ...claim, request: JSON.stringify(operation.request), account: operation.account },
    deps.mayBegin,
  );
  breakAt('after-claim', claim.stepIndex);
  if (isSettled(record)) return recordedAnswer(record, deps, 'ledger');

  if (record.account !== operation.account) {
    await ledger.deny(claim.key);
    throw new AccountChanged(record.account, operation.account);
  }
  if (deps.now() - record.first_asked_at > providerMemory) {
    // The provider may have forgotten the key: a request would be taken for a new one.
    await ledger.deny(claim.key);
    return settle(deps, claim, unknown(record, 'its key is older than the provider remembers'));
  }

  // Asked with the recorded request: a deploy between two attempts may have changed what today's code would send.
  const request = JSON.parse(record.request) as Request;
  const answer =
    record.reference !== null && operation.follow
      ? await operation.follow(record.reference, request)
      : await operation.ask(request, claim.key);
  breakAt('after-answer', claim.stepIndex);
  return act(deps, claim, record, answer);
}

/** Turns an answer into the record, or into a failure that makes Temporal try again. */
async function act<Result>(
  deps: OnceDeps,
  claim: Pick<Claim, 'key' | 'stepIndex'>,
  record: ActionRecord,
  answer: Answer<Result>,
): Promise<Acted<Result>> {
  switch (answer.kind) {
    case 'succeeded': {
      const { reference, replayed } = answer;
      return settle(deps, claim, { state: 'succeeded', result: JSON.stringify(answer.result), reference, replayed });
    }
    case 'not_final':
      await deps.ledger.accept(claim.key, answer.reference);
      throw askAgain({ error: answer.error, retryAfter: followInterval });
    case 'declined':
      return settle(deps, claim, failed(answer));
    case 'refused':
      // This ask did nothing, but an earlier one may have: then the refusal may be its consequence.
      return settle(deps, claim, ambiguousAsks(record) === 1 ? failed(answer) : unknown(record, answer.error.message));
    case 'stuck':
      return settle(deps, claim, unknown(record, answer.error.message));
    case 'not_now':
      await deps.ledger.deny(claim.key);
      throw askAgain(answer);
    case 'ambiguous':
      throw askAgain(answer);
  }
}

const failed = ({ error, replayed }: Failure): Settlement => ({
  state: 'failed',
  error: JSON.stringify(error),
  replayed,
});

const unknown = (record: ActionRecord, reason: string): Settlement => ({
  state: 'unknown',
  error: JSON.stringify(unknownError(record, reason)),
  replayed: false,
});

/** Says what a person should do; the same words wherever an outcome stays unknown. */
export function unknownError(
  { tool, key, asks }: Pick<ActionRecord, 'tool' | 'key' | 'asks'>,
  reason: string,
): StepError {
  return {
    type: 'outcome_unknown',
    message:
      `It is not known whether the ${tool} took effect (asked ${asks} times; last: ${reason}). ` +
      `Start the same plan under the same workflow id to ask again safely, or look for ${key} at the provider and settle it with "resolve".`,
  };
}

async function settle<Result>(
  deps: OnceDeps,
  { key, stepIndex }: Pick<Claim, 'key' | 'stepIndex'>,
  settlement: Settlement,
): Promise<Acted<Result>> {
  const record = await deps.ledger.settle(key, settlement);
  deps.breakAt('after-settle', stepIndex);
  return recordedAnswer(record, deps, settlement.replayed ? 'provider-replay' : 'provider');
}

/** The answer is always what the record says, so that a replayed one looks exactly like the first. */
function recordedAnswer<Result>(
  record: ActionRecord,
  { attempt }: Pick<OnceDeps, 'attempt'>,
  answeredBy: Receipt['answeredBy'],
): Acted<Result> {
  const receipt: Receipt = { attempts: attempt, replays: record.replays, answeredBy };
  if (record.state === 'succeeded') return { result: JSON.parse(record.result ?? 'null') as Result, receipt };
  const error = JSON.parse(record.error ?? 'null') as StepError;
  throw record.state === 'failed' ? stepFailed(error, receipt) : outcomeUnknown(error, receipt);
}
