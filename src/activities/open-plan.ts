import { type ActionRecord, ambiguousAsks, isSettled, type PlanId } from '../ledger/action-record.js';
import type { Ledger } from '../ledger/ledger.js';
import { PlanClosed } from '../ledger/refusals.js';
import type { Plan } from '../plan/plan-schema.js';
import type { EffectivePolicy } from '../plan/policy-merge.js';
import type { Policy } from '../plan/policy.js';
import { type BegunStep, readSteps, undoOf } from './begun-steps.js';
import { policyFor, policyInForce } from './worker-policy.js';

export interface OpenPlanInput extends PlanId {
  plan: Plan;
  planFingerprint: string;
  /** What the client sent along: it may only tighten the worker's. */
  policy: Policy;
}

export interface Opened {
  /** The limits in force. */
  policy: EffectivePolicy;
  begun: BegunStep[];
  /** The plan is closed, but an earlier run was cut off while it undid: that is all there is left to do. */
  isUndoing: boolean;
}

/**
 * Binds the workflow id to this plan, before any effect.
 * Throws `PolicyRefused`, `PlanChanged` or `PlanClosed`.
 */
export async function openPlan(ledger: Ledger, workerPolicy: Policy, input: OpenPlanInput): Promise<Opened> {
  const allowed = (): EffectivePolicy => policyFor(input.plan, workerPolicy, input.policy);
  // A new plan that is refused leaves its id free.
  if (!(await ledger.knows(input))) allowed();
  const isUndoing = !(await isOpened(ledger, input));
  // What was charged is given back, whatever the policy says by now.
  const policy = isUndoing ? policyInForce(workerPolicy, input.policy) : allowed();
  return { policy, begun: await readSteps(ledger, input), isUndoing };
}

/** False if the plan is closed and its undo has not come to its end. Throws `PlanClosed` if it has. */
async function isOpened(ledger: Ledger, input: OpenPlanInput): Promise<boolean> {
  try {
    await ledger.openPlan(input, input.planFingerprint);
    return true;
  } catch (error) {
    if (error instanceof PlanClosed && hasUndoLeft(await ledger.receipts(input))) return false;
    throw error;
  }
}

/** A charge that was made, or may have been, and that nobody has tried to give back to the end. */
function hasUndoLeft(records: readonly ActionRecord[]): boolean {
  const isTried = (undo: ActionRecord | undefined): boolean => undo !== undefined && isSettled(undo);
  return records.some(
    (record) =>
      record.purpose === 'do' && record.tool === 'charge' && mayHaveActed(record) && !isTried(undoOf(record, records)),
  );
}

const mayHaveActed = (record: ActionRecord): boolean => record.state !== 'failed' && ambiguousAsks(record) > 0;
