import { CancellationScope, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import type { BegunStep } from '../activities/open-plan.js';
import type { StepReport } from '../plan/report.js';
import { localOptions } from './activity-options.js';
import type { OpenPlan } from './open-plan.js';
import type { Progress } from './progress.js';

/**
 * The steps that this run has not come to and an earlier one has. The ledger is asked at the end, because a run that is
 * reset has forgotten what it did itself.
 */
export async function unreachedSteps(
  { namespace, workflowId }: OpenPlan,
  progress: Progress,
): Promise<readonly BegunStep[]> {
  const isUnreached = ({ key, status }: StepReport): boolean =>
    key !== undefined && (status === 'pending' || status === 'waiting_for_approval');
  if (!progress.steps.some(isUnreached)) return [];
  const { begunSteps } = proxyLocalActivities<Activities>(localOptions);
  const begun = await CancellationScope.nonCancellable(() => begunSteps({ namespace, workflowId }));
  return begun.filter(({ index }) => isUnreached(progress.step(index)));
}

/** What happened in an earlier run, or may have, must not be reported as skipped. The result is in the ledger. */
export async function tellEarlier(open: OpenPlan, progress: Progress): Promise<void> {
  for (const { index, state } of await unreachedSteps(open, progress)) progress.update(index, told[state]);
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
