import { ActivityCancellationType, type ActivityOptions, type LocalActivityOptions } from '@temporalio/workflow';
import type { ActivitySettings } from '../plan/policy.js';
import { finalFailure } from '../plan/step-failure.js';

const nonRetryableErrorTypes = Object.values(finalFailure);

/** For a step: Temporal is the only retrier, within the operator's limits. */
export function stepOptions({ activity }: { activity: ActivitySettings }): ActivityOptions {
  const { startToCloseTimeout, scheduleToCloseTimeout, requestTimeout, ...retry } = activity;
  return {
    startToCloseTimeout,
    scheduleToCloseTimeout,
    retry: { ...retry, nonRetryableErrorTypes },
    // A cancelled plan lets the attempt on its way end, so that its outcome is known; it is not tried again.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

/** For an undo: it goes on until there is an answer, as long as the time allows, however few attempts a step has. */
export function undoOptions({ activity }: { activity: ActivitySettings }): ActivityOptions {
  const { maximumAttempts, ...unlimited } = activity;
  return stepOptions({ activity: unlimited });
}

/** For opening and closing a plan: a marker in the history, no task of its own. An absent ledger is waited for. */
export const localOptions: LocalActivityOptions = {
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '30s', nonRetryableErrorTypes },
};

/** For the last word on a step: it only reads and writes the ledger, and waits an hour for an absent one. */
export const concludeOptions: ActivityOptions = {
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '500ms', maximumInterval: '30s' },
};
