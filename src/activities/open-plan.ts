import { type ActionRecord, ambiguousAsks, isSettled, type PlanId } from '../ledger/action-record.js';
import type { Ledger } from '../ledger/ledger.js';
import { InputError } from '../plan/input-error.js';
import type { Plan } from '../plan/plan-schema.js';
import { policyFaults } from '../plan/policy-check.js';
import { type EffectivePolicy, mergePolicies } from '../plan/policy-merge.js';
import type { Policy } from '../plan/policy.js';
import { PolicyRefused } from './failures.js';

export interface OpenPlanInput extends PlanId {
  plan: Plan;
  planFingerprint: string;
  /** What the client sent along: it may only tighten the worker's. */
  policy: Policy;
}

/** A step that an earlier run has begun and that may have happened, or surely did. */
export interface BegunStep {
  index: number;
  state: 'succeeded' | 'failed' | 'unknown';
}

export interface Opened {
  /** The limits in force. */
  policy: EffectivePolicy;
  begun: BegunStep[];
}

/**
 * Binds the workflow id to this plan, before any effect.
 * Throws `PolicyRefused`, `PlanChanged` or `PlanClosed`.
 */
export async function openPlan(ledger: Ledger, workerPolicy: Policy, input: OpenPlanInput): Promise<Opened> {
  const { plan, planFingerprint, policy } = input;
  allow(plan, workerPolicy, "the worker's policy");
  allow(plan, policy, 'the policy');
  const effective = merge(workerPolicy, policy);
  await ledger.openPlan(input, planFingerprint);
  const records = await ledger.receipts(input);
  const begun = records.filter((record) => record.purpose === 'do' && (isSettled(record) || ambiguousAsks(record) > 0));
  return { policy: effective, begun: begun.map(begunStep) };
}

function begunStep(record: ActionRecord): BegunStep {
  const { step_index: index, state } = record;
  return { index, state: isSettled(record) && state !== 'pending' ? state : 'unknown' };
}

/** Throws `PolicyRefused` if the plan, or a part of one, is not allowed. */
export function allow(plan: Plan, policy: Policy, whose: string): void {
  const [first, ...rest] = policyFaults(plan, policy);
  if (first) throw new PolicyRefused(new InputError(`refused by ${whose}`, [first, ...rest]).message);
}

function merge(workerPolicy: Policy, policy: Policy): EffectivePolicy {
  try {
    return mergePolicies(workerPolicy, policy);
  } catch (error) {
    throw error instanceof InputError ? new PolicyRefused(`with the worker's policy, ${error.message}`) : error;
  }
}
