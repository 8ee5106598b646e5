import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import type { RefundArgs } from '../activities/refund.js';
import type { StepInput } from '../activities/step-input.js';
import { fingerprint } from '../plan/fingerprint.js';
import type { Plan, Step, StepOf } from '../plan/plan-schema.js';
import { chargedUpTo } from '../plan/policy-check.js';
import { fillIn, referencedIndex } from '../plan/references.js';
import type { StepResult } from '../plan/results.js';
import type { Acted } from '../plan/step-failure.js';
import { stepOptions } from './activity-options.js';
import type { OpenPlan } from './open-plan.js';
import type { Progress } from './progress.js';
import { outcomeOf } from './step-outcome.js';
import { stepSummary } from './web-ui.js';

/** Runs one step to its end: succeeded, failed, or outcome unknown. */
export async function runStep(open: OpenPlan, progress: Progress, index: number): Promise<void> {
  // Known as running before its activity exists: whatever happens now, an undo will ask what came of it.
  progress.update(index, { status: 'running' });
  progress.update(index, await outcomeOf(startActivity(open, progress, index), progress.step(index).key));
}

function startActivity(open: OpenPlan, progress: Progress, index: number): Promise<Acted<StepResult>> {
  const { plan, policy } = open;
  const step = stepAt(plan, index);
  const activities = proxyActivities<Activities>(stepOptions(policy));
  const options = { summary: stepSummary(step, progress.step(index)) };
  const resultOf = (earlier: number): StepResult => progress.result(earlier);

  switch (step.tool) {
    case 'charge':
      return activities.charge.executeWithOptions(options, [chargeInput(open, progress, index, step)]);
    case 'refund': {
      const { charge, ...rest } = step.args;
      const args: RefundArgs = { ...rest, paymentIntent: chargeOf(open, progress, charge) };
      return activities.refund.executeWithOptions(options, [{ ...stepInput(open, progress, index), args }]);
    }
    case 'email': {
      const { to, subject, text } = step.args;
      const args = { to, subject: fillIn(plan, subject, resultOf), text: fillIn(plan, text, resultOf) };
      return activities.email.executeWithOptions(options, [{ ...stepInput(open, progress, index), args }]);
    }
    case 'lookup_charge': {
      const { requestTimeout } = policy.activity;
      const input = { paymentIntent: chargeOf(open, progress, step.args.charge), requestTimeout };
      return activities.lookupCharge.executeWithOptions(options, [input]);
    }
  }
}

function chargeInput(
  open: OpenPlan,
  progress: Progress,
  index: number,
  { args: { description, metadata, ...rest } }: StepOf<'charge'>,
): StepInput<StepOf<'charge'>['args']> {
  const filledIn = (text: string): string => fillIn(open.plan, text, (earlier) => progress.result(earlier));
  const args = {
    ...rest,
    ...(description === undefined ? {} : { description: filledIn(description) }),
    ...(metadata === undefined
      ? {}
      : { metadata: Object.fromEntries(Object.entries(metadata).map(([name, text]) => [name, filledIn(text)])) }),
  };
  return { ...stepInput(open, progress, index), args };
}

/** The PaymentIntent that an earlier step of the plan made. */
function chargeOf({ plan }: OpenPlan, progress: Progress, reference: string | number): string {
  return progress.result(referencedIndex(plan, reference) ?? -1).id;
}

/** What every keyed activity of a step is told, but for its arguments. */
export function stepInput(open: OpenPlan, progress: Progress, index: number): Omit<StepInput<never>, 'args'> {
  const { plan, planFingerprint, namespace, workflowId, workflowStartedAt, policy } = open;
  const step = stepAt(plan, index);
  return {
    namespace,
    workflowId,
    planFingerprint,
    workflowStartedAt,
    key: progress.key(index),
    purpose: 'do',
    stepIndex: index,
    tool: step.tool,
    stepFingerprint: fingerprint(step),
    approved: progress.step(index).approval?.approve === true,
    charged: chargedUpTo(plan.steps, index),
    requestTimeout: policy.activity.requestTimeout,
  };
}

export function stepAt(plan: Plan, index: number): Step {
  const step = plan.steps[index];
  if (!step) throw new RangeError(`The plan has no step ${index}`);
  return step;
}
