import { ApplicationFailure, condition, setHandler } from '@temporalio/workflow';
import { type Decision, decisionFault } from '../plan/decision.js';
import { needsApproval } from '../plan/policy-check.js';
import type { StepError } from '../plan/report.js';
import { decideUpdate } from './messages.js';
import type { OpenPlan } from './open-plan.js';
import type { Progress } from './progress.js';

const rejected = 'ApprovalRejected';
const timedOut = 'ApprovalTimedOut';

/** The types of error with which a step ends that nobody allowed. */
export const approvalErrors: readonly string[] = [rejected, timedOut];

/**
 * Receives decisions from the first moment on: they may come before their step waits, and a reset admits them again
 * before the worker's policy is known. So they are validated by step and key, and by what `whyNot` says of the step as
 * far as that is known, never by "is waiting now".
 */
export function receiveDecisions(progress: Progress, whyNot: (index: number) => string | undefined): void {
  setHandler(
    decideUpdate,
    ({ step: index, approve, note }) => {
      const approval = progress.step(index).approval ?? {
        approve,
        ...(note ? { note } : {}),
        at: new Date().toISOString(),
      };
      progress.update(index, { approval });
      return approval;
    },
    {
      validator(decision: Decision) {
        const fault = decisionFault(decision);
        if (fault) throw refusal(fault);
        const { step: index, key } = decision;
        const step = progress.steps[index];
        if (!step) throw refusal(`The plan has no step ${index}`);
        const reason = whyNot(index);
        if (reason) throw refusal(reason);
        if (step.key !== undefined && step.key !== key) throw refusal(`Step ${index} of this plan has another key`);
      },
    },
  );
}

/** Waits, at most `timeout` ms, for the decision on a step. Returns why it may not run, or undefined if it may. */
export async function awaitApproval(
  progress: Progress,
  index: number,
  timeout: number,
): Promise<StepError | undefined> {
  const decided = await condition(() => progress.step(index).approval !== undefined, timeout);
  if (!decided) return { type: timedOut, message: `Nobody decided within ${timeout / 1000} s` };
  const { approval } = progress.step(index);
  if (approval?.approve) return undefined;
  return { type: rejected, message: approval?.note ?? 'A person rejected this step' };
}

/** Whether a person must be asked: the plan or a policy says so, and no earlier run has begun the step. */
export function approvalNeeded({ plan, policy, begun }: OpenPlan, index: number): boolean {
  const step = plan.steps[index];
  return (
    step !== undefined && needsApproval(step, policy.approveAbove) && !begun.some((earlier) => earlier.index === index)
  );
}

const refusal = (message: string): ApplicationFailure => ApplicationFailure.nonRetryable(message, 'DecisionRefused');
