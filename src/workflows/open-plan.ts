import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import type { BegunStep } from '../activities/begun-steps.js';
import { InputError, refuse } from '../plan/input-error.js';
import type { Plan } from '../plan/plan-schema.js';
import { validatePlan } from '../plan/plan.js';
import type { EffectivePolicy } from '../plan/policy-merge.js';
import { type Policy, validatePolicy } from '../plan/policy.js';
import { finalFailure } from '../plan/step-failure.js';
import { workflowIdFault } from '../plan/workflow-id.js';
import { localOptions } from './activity-options.js';
import type { AgentPlanInput } from './agent-plan.js';

/** What is fixed for all steps of a plan once it is open. */
export interface OpenPlan {
  plan: Plan;
  planFingerprint: string;
  policy: EffectivePolicy;
  /** As far as the ledger was asked. A person who had to approve these did. */
  begun: readonly BegunStep[];
  isUndoing: boolean;
  namespace: string;
  workflowId: string;
  /** ms since the epoch. */
  workflowStartedAt: number;
}

/** Throws a failure that Temporal does not try again: any other error thrown here would fail the workflow task for ever. */
export function checkInput(input: AgentPlanInput | undefined): { plan: Plan; policy: Policy } {
  try {
    const idFault = workflowIdFault(workflowInfo().workflowId);
    refuse('workflow id', idFault === undefined ? [] : [{ path: '', message: idFault }]);
    return { plan: validatePlan(input?.plan), policy: validatePolicy(input?.policy ?? {}) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw ApplicationFailure.nonRetryable(error.message, finalFailure.planInvalid);
  }
}

/**
 * The first thing that touches the world: binds the workflow id to the plan and asks the worker's own policy. A cancelled
 * plan is opened as well, because an earlier run may have left something to undo, or to report.
 */
export async function openPlan(plan: Plan, planFingerprint: string, clientPolicy: Policy): Promise<OpenPlan> {
  const { namespace, workflowId, startTime } = workflowInfo();
  const identity = { namespace, workflowId, planFingerprint };
  try {
    const activities = proxyLocalActivities<Activities>(localOptions);
    const { policy, ...standing } = await CancellationScope.nonCancellable(() =>
      activities.openPlan({ ...identity, plan, policy: clientPolicy }),
    );
    return { ...identity, ...standing, plan, policy, workflowStartedAt: startTime.getTime() };
  } catch (error) {
    // The refusal itself is what the plan ends with, not the activity that brought it.
    if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) throw error.cause;
    throw error;
  }
}
