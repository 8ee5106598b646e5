import { CancellationScope, isCancellation, upsertMemo, workflowInfo } from '@temporalio/workflow';
import { fingerprint } from '../plan/fingerprint.js';
import type { Plan } from '../plan/plan-schema.js';
import type { Policy } from '../plan/policy.js';
import type { Report, StepError } from '../plan/report.js';
import { approvalNeeded, awaitApproval, receiveDecisions } from './approvals.js';
import { begunSteps, tellEarlier } from './earlier-run.js';
import { endPlan, refusedPlan } from './end-plan.js';
import { checkInput, openPlan, type OpenPlan } from './open-plan.js';
import { Progress } from './progress.js';
import { runStep } from './run-step.js';
import { undo } from './undo.js';

export interface AgentPlanInput {
  plan: Plan;
  /** May only tighten the worker's own policy. */
  policy?: Policy;
}

/**
 * Runs an agent's plan, step by step, each step at most once:
 *
 *     validate ─▶ give out all keys ─▶ open the plan ─▶ step 0 ─▶ step 1 ─▶ … ─▶ report
 *                                                          └─ failed or cancelled ─▶ undo, if the plan says so
 *
 * Returns the report of a completed plan. Any other end is a failure of the workflow that carries the report.
 */
export async function agentPlan(input?: AgentPlanInput): Promise<Report> {
  const { plan, policy } = checkInput(input);
  const progress = new Progress(plan);
  let open: OpenPlan | undefined;
  let isEnding = false;
  receiveDecisions(progress, (index) => {
    if (isEnding) return 'The plan is ending and takes no decisions any more';
    return open && !approvalNeeded(open, index) ? `Step ${index} needs no approval` : undefined;
  });

  const planFingerprint = fingerprint(plan);
  // A start by other means than our client (a schedule, another program) may lack what `start` compares.
  if (workflowInfo().memo?.['planFingerprint'] === undefined) upsertMemo({ planFingerprint });

  try {
    open = await openPlan(plan, planFingerprint, policy);
  } catch (error) {
    throw await refusedPlan(plan, progress, error);
  }
  if (!open.isUndoing) await runSteps(open, progress);
  isEnding = true;
  const succeeded = progress.steps.every(({ status }) => status === 'succeeded');
  if (!succeeded && plan.onFailure === 'undo') await undo(open, progress);
  if (!succeeded) await tellEarlier(plan, progress);
  return endPlan(progress);
}

/** Runs the steps in order until one does not succeed, a person says no, or the plan is cancelled. */
async function runSteps(open: OpenPlan, progress: Progress): Promise<void> {
  for (const index of open.plan.steps.keys()) {
    // A cancelled plan begins no further step.
    if (CancellationScope.current().consideredCancelled) return;
    if (mustAsk(open, progress, index) && !(await approved(open, progress, index))) return;
    await runStep(open, progress, index);
    if (progress.step(index).status !== 'succeeded') return;
  }
}

/** A person may also have said no before it was known that nobody had to be asked. */
const mustAsk = (open: OpenPlan, progress: Progress, index: number): boolean =>
  approvalNeeded(open, index) || progress.step(index).approval?.approve === false;

async function approved(open: OpenPlan, progress: Progress, index: number): Promise<boolean> {
  // A run that was reset may have forgotten what it did since it was opened, and a decision with it.
  // Only this step is asked for: the answer stands in the history, once for each step that waits.
  if (progress.step(index).approval === undefined) {
    open.begun = [...open.begun, ...(await begunSteps({ stepIndex: index }))];
  }
  try {
    const error = mustAsk(open, progress, index) ? await decision(open, progress, index) : undefined;
    if (error) progress.update(index, { status: 'failed', error });
    // Together with a cancellation it permits nothing: an activity would be refused as if the whole plan were.
    if (error || !CancellationScope.current().consideredCancelled) return error === undefined;
  } catch (error) {
    if (!isCancellation(error)) throw error;
  }
  // Cancelled while it waited: nothing was begun, and nobody is asked any more.
  progress.update(index, { status: 'pending' });
  return false;
}

/** Why a step may not run, or undefined if a person allows it. */
function decision(open: OpenPlan, progress: Progress, index: number): Promise<StepError | undefined> {
  if (progress.step(index).approval === undefined) progress.update(index, { status: 'waiting_for_approval' });
  return awaitApproval(progress, index, open.policy.approvalTimeout);
}
