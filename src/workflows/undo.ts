import { CancellationScope, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import { idempotencyKey } from '../plan/idempotency-key.js';
import { formatAmount } from '../plan/money.js';
import type { StepOf } from '../plan/plan-schema.js';
import { askedNoMore } from '../plan/asked-no-more.js';
import type { StepStatus } from '../plan/report.js';
import type { StepResult } from '../plan/results.js';
import { localOptions, undoOptions } from './activity-options.js';
import { isUnreached } from './earlier-run.js';
import type { OpenPlan } from './open-plan.js';
import type { Progress } from './progress.js';
import { stepAt, stepInput } from './run-step.js';
import { outcomeOf } from './step-outcome.js';

/**
 * Gives back what the plan's charges took, the last one first. A cancellation does not stop it.
 *
 *     close the plan ─▶ for each step, last first: outcome unknown? ask until there is an answer ─▶ refund what is left
 *
 * The plan is closed before anything is given back: an undone plan never acts again, however often it is started or reset.
 */
export async function undo(open: OpenPlan, progress: Progress): Promise<void> {
  const { namespace, workflowId, planFingerprint } = open;
  await CancellationScope.nonCancellable(async () => {
    const isUntouched = progress.steps.every((step) => step.key === undefined || isUnreached(step));
    const { closePlan } = proxyLocalActivities<Activities>(localOptions);
    const begun = await closePlan({ namespace, workflowId, planFingerprint, isUntouched, askedAt: Date.now() });
    const earlier = begun.filter(({ index }) => isUnreached(progress.step(index)));
    for (const index of [...open.plan.steps.keys()].reverse()) {
      await undoStep(
        open,
        progress,
        index,
        earlier.some((step) => step.index === index),
      );
    }
  });
}

/** `isEarlier`: this run never came to the step, but an earlier one did. */
async function undoStep(open: OpenPlan, progress: Progress, index: number, isEarlier: boolean): Promise<void> {
  const step = stepAt(open.plan, index);
  const { status } = progress.step(index);
  if ((step.tool === 'charge' || step.tool === 'refund') && (isEarlier || unsettled.has(status))) {
    await askWhatHappened(open, progress, index, step);
  }
  // An e-mail cannot be taken back, and is not asked for again; a refund was asked for, for the last time. Of a charge the
  // next start asks once more.
  if ((step.tool === 'email' || step.tool === 'refund') && progress.step(index).status === 'outcome_unknown') {
    progress.update(index, { error: askedNoMore(step.tool, progress.key(index)) });
  }
  if (step.tool === 'charge' && progress.step(index).status === 'succeeded') {
    await giveBack(open, progress, index, step);
  }
}

/**
 * Looking would not do: a late first attempt may still land after the look. Asking again under the same key gives an
 * answer that stays true; so an undo may charge and give back at once, or make a refund of which the charge's own then
 * gives back the rest. What is asked is what was recorded, so the references need not be filled in here.
 */
async function askWhatHappened(
  open: OpenPlan,
  progress: Progress,
  index: number,
  step: StepOf<'charge' | 'refund'>,
): Promise<void> {
  const { charge, refund } = proxyActivities<Activities>(undoOptions(open.policy));
  const options = { summary: `undo of step ${index} · did it ${step.tool}?` };
  const input = { ...stepInput(open, progress, index), forUndo: true };
  const asking =
    step.tool === 'charge'
      ? charge.executeWithOptions(options, [{ ...input, args: step.args }])
      : refund.executeWithOptions(options, [{ ...input, args: { paymentIntent: '' } }]);
  progress.update(index, { error: undefined, ...(await outcomeOf<StepResult>(asking, progress.step(index).key)) });
}

async function giveBack(open: OpenPlan, progress: Progress, index: number, step: StepOf<'charge'>): Promise<void> {
  const { namespace, workflowId } = open;
  const { undoCharge } = proxyActivities<Activities>(undoOptions(open.policy));
  const key = idempotencyKey({ namespace, workflowId, stepIndex: index, purpose: 'undo' });
  const summary = `undo of step ${index} · give back ${formatAmount(step.args.amount, step.args.currency)} · ${key}`;
  const args = { paymentIntent: progress.result(index).id };
  const input = { ...stepInput(open, progress, index), key, purpose: 'undo' as const, args };
  const { attempts, replays, ...outcome } = await outcomeOf(undoCharge.executeWithOptions({ summary }, [input]), key);
  progress.update(index, {
    undo: { key, ...outcome },
    ...(outcome.status === 'succeeded' ? { status: 'undone' } : {}),
  });
}

const unsettled: ReadonlySet<StepStatus> = new Set(['outcome_unknown', 'running']);
