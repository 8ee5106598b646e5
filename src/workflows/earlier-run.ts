import { CancellationScope, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import type { BegunStep } from '../activities/begun-steps.js';
import { askedNoMore } from '../plan/asked-no-more.js';
import type { Plan } from '../plan/plan-schema.js';
import type { StepReport } from '../plan/report.js';
import { localOptions } from './activity-options.js';
import { approvalErrors } from './approvals.js';
import type { Progress } from './progress.js';

/**
 * What any run has begun by now. The ledger is asked, because a run that is reset has forgotten what it did itself; and from
 * then on no attempt of an earlier run may begin what this one takes as not begun.
 */
export function begunSteps(only: { stepIndex?: number } = {}): Promise<readonly BegunStep[]> {
  const { namespace, workflowId } = workflowInfo();
  const activities = proxyLocalActivities<Activities>(localOptions);
  const input = { namespace, workflowId, askedAt: Date.now(), ...only };
  return CancellationScope.nonCancellable(() => activities.begunSteps(input));
}

/** This run has not asked for the step: it did not come to it, or a person did not allow it. An earlier one may have. */
export const isUnreached = ({ key, status, error }: StepReport): boolean =>
  key !== undefined && (status === 'pending' || (status === 'failed' && approvalErrors.includes(error?.type ?? '')));

/** What happened in an earlier run, or may have, must not be reported as skipped. The result is in the ledger. */
export async function tellEarlier({ onFailure }: Plan, progress: Progress): Promise<void> {
  if (!progress.steps.some(isUnreached)) return;
  for (const { index, state } of await begunSteps()) {
    const { tool } = progress.step(index);
    if (!isUnreached(progress.step(index))) continue;
    progress.update(index, { error: undefined, ...told[state] });
    // An undo has asked what became of the charges, and asks for nothing else.
    if (state === 'unknown' && onFailure === 'undo' && tool !== 'charge') {
      progress.update(index, { error: askedNoMore(tool, progress.key(index)) });
    }
  }
}

const told: Record<BegunStep['state'], Partial<StepReport>> = {
  succeeded: { status: 'succeeded' },
  undone: { status: 'undone' },
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
