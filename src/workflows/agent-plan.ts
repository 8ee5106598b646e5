import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  proxyLocalActivities,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import { fingerprint } from '../plan/fingerprint.js';
import { InputError, refuse } from '../plan/input-error.js';
import type { Plan } from '../plan/plan-schema.js';
import { validatePlan } from '../plan/plan.js';
import { needsApproval } from '../plan/policy-check.js';
import type { EffectivePolicy } from '../plan/policy-merge.js';
import { type Policy, validatePolicy } from '../plan/policy.js';
import type { Report } from '../plan/report.js';
import { finalFailure } from '../plan/step-failure.js';
import { workflowIdFault } from '../plan/workflow-id.js';
import { openPlanOptions } from './activity-options.js';
import { awaitApproval, receiveDecisions } from './approvals.js';
import { Progress } from './progress.js';
import { runStep } from './run-step.js';

export interface AgentPlanInput {
  plan: Plan;
  /** May only tighten the worker's own policy. */
  policy?: Policy;
}

/**
 * Runs an agent's plan, step by step, each step at most once:
 *
 *     validate ─▶ give out all keys ─▶ open the plan ─▶ step 0 ─▶ step 1 ─▶ … ─▶ report
 *
 * Returns the report of a completed plan. Any other end is a failure of the workflow that carries the report.
 */
export async function agentPlan(input?: AgentPlanInput): Promise<Report> {
  const { plan, policy: clientPolicy } = checked(input);
  const progress = new Progress(plan);
  let policy: EffectivePolicy | undefined;
  receiveDecisions(progress, (index) => policy && stepNeedsApproval(plan, index, policy));

  const planFingerprint = fingerprint(plan);
  const { namespace, workflowId, memo } = workflowInfo();
  // A start by other means than our client (a schedule, another program) may lack what `start` compares.
  if (memo?.['planFingerprint'] === undefined) upsertMemo({ planFingerprint });

  try {
    policy = await openPlan({ namespace, workflowId, plan, planFingerprint, policy: clientPolicy });
    const context = { plan, planFingerprint, policy, namespace, workflowId, progress };
    for (const index of plan.steps.keys()) {
      // A cancelled plan begins no further step.
      if (isCancelled()) break;
      if (stepNeedsApproval(plan, index, policy) && !(await approved(progress, index, policy.approvalTimeout))) break;
      await runStep(context, index);
      if (progress.step(index).status !== 'succeeded') break;
    }
  } catch (error) {
    // A cancelled wait for approval is told apart below: nothing was begun.
    if (!isCancellation(error)) throw ended(progress, 'failed', error);
  }
  return end(progress);
}

const isCancelled = (): boolean => CancellationScope.current().consideredCancelled;

/** Throws a failure that Temporal does not try again: any other error thrown here would fail the workflow task for ever. */
function checked(input: AgentPlanInput | undefined): { plan: Plan; policy: Policy } {
  try {
    const idFault = workflowIdFault(workflowInfo().workflowId);
    refuse('workflow id', idFault === undefined ? [] : [{ path: '', message: idFault }]);
    return { plan: validatePlan(input?.plan), policy: validatePolicy(input?.policy ?? {}) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw ApplicationFailure.nonRetryable(error.message, finalFailure.planInvalid);
  }
}

/** The first thing that touches the world: binds the workflow id to the plan and asks the worker's policy. */
async function openPlan(input: Parameters<Activities['openPlan']>[0]): Promise<EffectivePolicy> {
  try {
    return await proxyLocalActivities<Activities>(openPlanOptions).openPlan(input);
  } catch (error) {
    // The refusal itself is what the plan ends with, not the activity that brought it.
    if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) throw error.cause;
    throw error;
  }
}

const stepNeedsApproval = (plan: Plan, index: number, { approveAbove }: EffectivePolicy): boolean => {
  const step = plan.steps[index];
  return step !== undefined && needsApproval(step, approveAbove);
};

async function approved(progress: Progress, index: number, timeout: number): Promise<boolean> {
  if (progress.step(index).approval === undefined) progress.update(index, { status: 'waiting_for_approval' });
  const error = await awaitApproval(progress, index, timeout);
  if (error) progress.update(index, { status: 'failed', error });
  return error === undefined;
}

/** Ends the workflow as the steps stand: returns the report of a completed plan, throws for any other. */
function end(progress: Progress): Report {
  const broken = progress.steps.find(({ status }) => status !== 'succeeded');
  if (!broken) return progress.finish('completed');
  const message = `Step ${broken.index} (${broken.tool}): ${broken.error?.message ?? 'not begun'}`;
  const unknown = broken.status === 'outcome_unknown';
  if (isCancelled()) {
    progress.finish(unknown ? 'outcome_unknown' : 'cancelled');
    throw new CancelledFailure(message);
  }
  throw unknown
    ? ended(progress, 'outcome_unknown', ApplicationFailure.nonRetryable(message, 'PlanOutcomeUnknown'))
    : ended(progress, 'failed', ApplicationFailure.nonRetryable(message, 'PlanFailed'));
}

/**
 * The failure that the workflow ends with: never retried, with the report, but without the results, so that it stays
 * small (the query and the ledger have them).
 */
function ended(progress: Progress, status: 'failed' | 'outcome_unknown', error: unknown): ApplicationFailure {
  const report = progress.finish(status);
  const steps = report.steps.map(({ result, ...step }) => step);
  const { message, name } = error instanceof Error ? error : new Error(String(error));
  const type = error instanceof ApplicationFailure ? error.type : name;
  return ApplicationFailure.nonRetryable(message, type, { ...report, steps });
}
