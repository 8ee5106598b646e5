import { ActivityFailure, ApplicationFailure, CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import type { Plan } from '../plan/plan-schema.js';
import type { EffectivePolicy } from '../plan/policy-merge.js';
import { fillIn, referencedIndex } from '../plan/references.js';
import type { StepError } from '../plan/report.js';
import type { StepResult } from '../plan/results.js';
import { type Acted, finalFailure, type Receipt } from '../plan/step-failure.js';
import { concludeOptions, stepOptions } from './activity-options.js';
import type { Progress } from './progress.js';
import { stepSummary } from './web-ui.js';

export interface StepContext {
  plan: Plan;
  planFingerprint: string;
  policy: EffectivePolicy;
  namespace: string;
  workflowId: string;
  progress: Progress;
}

/** Runs one step to its end: succeeded, failed, or outcome unknown. Throws only when the step was never begun. */
export async function runStep(context: StepContext, index: number): Promise<void> {
  const { progress } = context;
  progress.update(index, { status: 'running' });
  try {
    const { result, receipt } = await startActivity(context, index);
    progress.update(index, { status: 'succeeded', result, attempts: receipt.attempts, replays: receipt.replays });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const { key } = progress.step(index);
    const final = finalAnswer(error);
    if (final) progress.update(index, final);
    else if (key === undefined) progress.update(index, { status: 'failed', error: lastError(error) });
    else await concludeStep(context, index, key, lastError(error));
  }
}

function startActivity(context: StepContext, index: number): Promise<Acted<StepResult>> {
  const { plan, planFingerprint, policy, namespace, workflowId, progress } = context;
  const step = plan.steps[index];
  if (!step) throw new RangeError(`The plan has no step ${index}`);
  const { key = '' } = progress.step(index);
  const { requestTimeout } = policy.activity;
  const activities = proxyActivities<Activities>(stepOptions(policy));
  const summary = { summary: stepSummary(step, progress.step(index)) };
  const identity = {
    key,
    purpose: 'do' as const,
    namespace,
    workflowId,
    stepIndex: index,
    planFingerprint,
    step,
    requestTimeout,
  };
  const filledIn = (text: string): string => fillIn(plan, text, (earlier) => progress.result(earlier));
  const paymentIntent = (reference: string | number): string =>
    progress.result(referencedIndex(plan, reference) ?? -1).id;

  switch (step.tool) {
    case 'charge': {
      const { description, metadata, ...rest } = step.args;
      const args = {
        ...rest,
        ...(description === undefined ? {} : { description: filledIn(description) }),
        ...(metadata === undefined ? {} : { metadata: mapValues(metadata, filledIn) }),
      };
      return activities.charge.executeWithOptions(summary, [{ ...identity, args }]);
    }
    case 'refund': {
      const { charge, ...rest } = step.args;
      const args = { ...rest, paymentIntent: paymentIntent(charge) };
      return activities.refund.executeWithOptions(summary, [{ ...identity, args }]);
    }
    case 'email': {
      const { to, subject, text } = step.args;
      const args = { to, subject: filledIn(subject), text: filledIn(text) };
      return activities.email.executeWithOptions(summary, [{ ...identity, args }]);
    }
    case 'lookup_charge': {
      const input = { paymentIntent: paymentIntent(step.args.charge), requestTimeout };
      return activities.lookupCharge.executeWithOptions(summary, [input]);
    }
  }
}

const mapValues = (entries: Record<string, string>, change: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, change(value)]));

/** What the activity itself settled for good, or undefined if its attempts or its time ran out. */
function finalAnswer({
  cause,
}: ActivityFailure):
  Partial<{ status: 'failed' | 'outcome_unknown'; error: StepError; attempts: number; replays: number }> | undefined {
  if (!(cause instanceof ApplicationFailure)) return undefined;
  const [error, receipt] = (cause.details ?? []) as [StepError, Receipt];
  if (cause.type === finalFailure.stepFailed)
    return { status: 'failed', error, attempts: receipt.attempts, replays: receipt.replays };
  if (cause.type !== finalFailure.outcomeUnknown) return undefined;
  return { status: 'outcome_unknown', error, attempts: receipt.attempts, replays: receipt.replays };
}

/** The last thing that was heard, for people: of a time-out, what the attempt before it said. */
function lastError(failure: ActivityFailure): StepError {
  const { cause } = failure;
  if (cause instanceof ApplicationFailure) {
    const [error] = (cause.details ?? []) as [StepError?];
    return error ?? { type: cause.type ?? 'error', message: cause.message };
  }
  return { type: cause?.name ?? failure.name, message: cause?.message ?? failure.message };
}

/** Asks the ledger, which alone knows whether any attempt may have taken effect. A cancelled plan asks as well. */
async function concludeStep({ progress }: StepContext, index: number, key: string, error: StepError): Promise<void> {
  const { conclude } = proxyActivities<Activities>(concludeOptions);
  const summary = { summary: `step ${index} · read its record` };
  try {
    const { state, asks, replays, ...outcome } = await CancellationScope.nonCancellable(() =>
      conclude.executeWithOptions(summary, [{ key, lastFailure: error.message }]),
    );
    const counts = { attempts: asks, replays };
    if (state === 'succeeded') progress.update(index, { status: state, ...outcome, ...counts });
    else if (state === 'unknown') progress.update(index, { status: 'outcome_unknown', ...outcome, ...counts });
    else progress.update(index, { status: 'failed', error, ...outcome, ...counts });
  } catch (failure) {
    if (!(failure instanceof ActivityFailure)) throw failure;
    const message = `The ledger could not be read, so it is not known whether the step took effect. ${error.message}`;
    progress.update(index, { status: 'outcome_unknown', error: { type: 'outcome_unknown', message } });
  }
}
