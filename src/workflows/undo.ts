import { CancellationScope, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import { idempotencyKey } from '../plan/idempotency-key.js';
import { formatAmount } from '../plan/money.js';
import type { ChargeResult } from '../plan/results.js';
import { localOptions, undoOptions } from './activity-options.js';
import { unreachedSteps } from './earlier-run.js';
import type { OpenPlan } from './open-plan.js';
import type { Progress } from './progress.js';
import { chargeInput, stepAt, stepInput } from './run-step.js';
import { outcomeOf } from './step-outcome.js';

/**
 * Gives back what the plan's charges took, the last one first. A cancellation does not stop it.
 *
 *     close the plan ─▶ for each charge, last first: outcome unknown? ask until there is an answer ─▶ refund what is left
 *
 * The plan is closed before all: an undone plan never acts again, however often it is started or reset.
 */
export async function undo(open: OpenPlan, progress: Progress): Promise<void> {
  const { namespace, workflowId, planFingerprint } = open;
  await CancellationScope.nonCancellable(async () => {
    await proxyLocalActivities<Activities>(localOptions).closePlan({ namespace, workflowId, planFingerprint });
    const earlier = await unreachedSteps(open, progress);
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
  // Refunds and e-mails cannot be taken back; they stand in the report as they are.
  if (step.tool !== 'charge') return;
  const activities = proxyActivities<Activities>(undoOptions(open.policy));
  const { key: doKey, status } = progress.step(index);
  if (status === 'outcome_unknown' || status === 'running' || isEarlier) {
    // Looking would not do: a late first attempt may still land after the look. Asking again under the same key gives
    // an answer that stays true; so an undo may charge and give back at once.
    const input = {
      // What an earlier run began is asked as it was recorded: its citations may have nothing to cite here.
      ...(isEarlier
        ? { ...stepInput(open, progress, index), args: step.args }
        : chargeInput(open, progress, index, step)),
      forUndo: true,
    };
    const summary = `undo of step ${index} · did it charge?`;
    progress.update(index, await outcomeOf(activities.charge.executeWithOptions({ summary }, [input]), doKey));
  }
  const { status: known, result } = progress.step(index);
  if (known !== 'succeeded') return;

  const { namespace, workflowId } = open;
  const key = idempotencyKey({ namespace, workflowId, stepIndex: index, purpose: 'undo' });
  const { id: paymentIntent } = result as ChargeResult;
  const summary = `undo of step ${index} · give back ${formatAmount(step.args.amount, step.args.currency)} · ${key}`;
  const input = { ...stepInput(open, progress, index), key, purpose: 'undo' as const, args: { paymentIntent } };
  const { attempts, replays, ...outcome } = await outcomeOf(
    activities.undoCharge.executeWithOptions({ summary }, [input]),
    key,
  );
  progress.update(index, {
    undo: { key, ...outcome },
    ...(outcome.status === 'succeeded' ? { status: 'undone' } : {}),
  });
}
