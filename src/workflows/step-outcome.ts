import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import type { StepError } from '../plan/report.js';
import type { StepResult } from '../plan/results.js';
import { type Acted, finalFailure, type Receipt } from '../plan/step-failure.js';
import { concludeOptions } from './activity-options.js';

/** What an operation came to, whatever its activity ended with. */
export type Outcome<Result> = { attempts: number; replays: number } & (
  { status: 'succeeded'; result: Result } | { status: 'failed' | 'outcome_unknown'; error: StepError }
);

/** Waits for an operation's activity and says what it came to. A read has no key, and no record to be asked. */
export async function outcomeOf<Result extends StepResult>(
  activity: Promise<Acted<Result>>,
  key: string | undefined,
): Promise<Outcome<Result>> {
  try {
    const { result, receipt } = await activity;
    return { status: 'succeeded', result, attempts: receipt.attempts, replays: receipt.replays };
  } catch (failure) {
    if (!(failure instanceof ActivityFailure)) throw failure;
    const final = finalOutcome(failure);
    if (final) return final;
    const error = lastError(failure);
    if (key === undefined) return { status: 'failed', error, attempts: 0, replays: 0 };
    return concluded<Result>(key, error);
  }
}

/** What the activity itself settled for good, or undefined if its attempts or its time ran out. */
function finalOutcome({ cause }: ActivityFailure): Outcome<never> | undefined {
  if (!(cause instanceof ApplicationFailure)) return undefined;
  const { type } = cause;
  if (type !== finalFailure.stepFailed && type !== finalFailure.outcomeUnknown) return undefined;
  const [error, { attempts, replays }] = cause.details as [StepError, Receipt];
  return { status: type === finalFailure.stepFailed ? 'failed' : 'outcome_unknown', error, attempts, replays };
}

/** The last thing that was heard, for people. */
function lastError({ cause, name, message }: ActivityFailure): StepError {
  // A cancellation says nothing itself.
  if (!(cause instanceof ApplicationFailure)) return { type: cause?.name ?? name, message: cause?.message || message };
  const [error] = (cause.details ?? []) as [StepError?];
  return error ?? { type: cause.type ?? 'error', message: cause.message };
}

/** Asks the ledger, which alone knows whether any attempt may have taken effect. A cancelled plan asks as well. */
async function concluded<Result>(key: string, error: StepError): Promise<Outcome<Result>> {
  const { conclude } = proxyActivities<Activities>(concludeOptions);
  const { namespace, workflowId } = workflowInfo();
  try {
    const conclusion = await CancellationScope.nonCancellable(() =>
      conclude.executeWithOptions({ summary: `read the record of ${key}` }, [
        { namespace, workflowId, key, lastFailure: error.message },
      ]),
    );
    const counts = { attempts: conclusion.asks, replays: conclusion.replays };
    switch (conclusion.state) {
      case 'succeeded':
        return { status: 'succeeded', result: conclusion.result as Result, ...counts };
      case 'unknown':
        return { status: 'outcome_unknown', error: conclusion.error, ...counts };
      case 'failed':
        return { status: 'failed', error: conclusion.error, ...counts };
      case 'not_done':
        return { status: 'failed', error, ...counts };
    }
  } catch (failure) {
    if (!(failure instanceof ActivityFailure)) throw failure;
    const message = `The ledger does not answer, so it is not known whether the step took effect. ${error.message}`;
    return { status: 'outcome_unknown', error: { type: 'outcome_unknown', message }, attempts: 0, replays: 0 };
  }
}
