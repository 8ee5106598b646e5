import type { BegunStep } from '../activities/open-plan.js';
import type { StepReport } from '../plan/report.js';
import type { OpenPlan } from './open-plan.js';
import type { Progress } from './progress.js';

/**
 * A run that ends before it comes to a step which an earlier run began must not report that as skipped: it happened, or
 * may have. The result is in the ledger.
 */
export function tellEarlier({ begun }: OpenPlan, progress: Progress): void {
  for (const { index, state } of begun) {
    if (progress.step(index).status === 'pending') progress.update(index, told[state]);
  }
}

const told: Record<BegunStep['state'], Partial<StepReport>> = {
  succeeded: { status: 'succeeded' },
  failed: {
    status: 'failed',
    error: { type: 'earlier_run', message: 'An earlier run of this plan tried it: it failed' },
  },
  unknown: {
    status: 'outcome_unknown',
    error: {
      type: 'outcome_unknown',
      message:
        'An earlier run of this plan asked for it, and it is not known whether it took effect. ' +
        'Start the same plan under the same workflow id to ask again safely.',
    },
  },
};
