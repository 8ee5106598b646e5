import { InputError } from '../plan/input-error.js';
import type { Plan } from '../plan/plan-schema.js';
import { policyFaults, stepFault, type StepInForce } from '../plan/policy-check.js';
import { type EffectivePolicy, mergePolicies } from '../plan/policy-merge.js';
import type { Policy } from '../plan/policy.js';
import { PolicyRefused } from './failures.js';

/** The policy in force for a plan that is opened: the worker's, which the client's may only tighten. Throws `PolicyRefused`. */
export function policyFor(plan: Plan, workerPolicy: Policy, clientPolicy: Policy): EffectivePolicy {
  allow(plan, workerPolicy, "the worker's policy");
  allow(plan, clientPolicy, 'the policy');
  return policyInForce(workerPolicy, clientPolicy);
}

/** The same, whatever the plan does. */
export function policyInForce(workerPolicy: Policy, clientPolicy: Policy): EffectivePolicy {
  try {
    return mergePolicies(workerPolicy, clientPolicy);
  } catch (error) {
    throw error instanceof InputError ? new PolicyRefused(`with the worker's policy, ${error.message}`) : error;
  }
}

function allow(plan: Plan, policy: Policy, whose: string): void {
  const [first, ...rest] = policyFaults(plan, policy);
  if (first) throw new PolicyRefused(new InputError(`refused by ${whose}`, [first, ...rest]).message);
}

/** Asked again when a step begins: the worker's policy may have been tightened since. Throws `PolicyRefused`. */
export function allowStep(step: StepInForce & { stepIndex: number }, workerPolicy: Policy): void {
  const fault = stepFault(step, workerPolicy);
  if (fault)
    throw new PolicyRefused(`refused by the worker's policy: steps[${step.stepIndex}] (${step.tool}) ${fault}`);
}
