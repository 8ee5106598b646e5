import { type ActionRecord, ambiguousAsks, isSettled, type PlanId } from '../ledger/action-record.js';
import type { Ledger } from '../ledger/ledger.js';

/** A step that this run or an earlier one has begun and that may have happened, or surely did. */
export interface BegunStep {
  index: number;
  state: 'succeeded' | 'failed' | 'unknown' | 'undone';
}

export interface BegunStepsInput extends PlanId {
  /** When they are asked for, in ms: attempts from before may begin nothing that is not among them. */
  askedAt: number;
  /** Only this one is to be told. */
  stepIndex?: number;
}

export interface ClosePlanInput extends BegunStepsInput {
  planFingerprint: string;
  /** As far as the run knows, nothing was ever asked for. */
  isUntouched: boolean;
}

/**
 * What the ledger knows of a plan's steps now, whatever a run's history says: a reset run forgets what it did. The caller
 * takes all others as not begun, so from now on no attempt from before may begin one of them.
 */
export async function begunSteps(
  ledger: Ledger,
  { askedAt, stepIndex, ...plan }: BegunStepsInput,
): Promise<BegunStep[]> {
  await ledger.fencePlan(plan, askedAt);
  const begun = await readSteps(ledger, plan);
  return stepIndex === undefined ? begun : begun.filter(({ index }) => index === stepIndex);
}

/**
 * Closes a plan before its undo, for ever and in all runs. If nothing was ever asked for, it stays open: there is nothing
 * to give back, and it may be started again. Returns what is begun, and no attempt from before will begin more.
 */
export async function closePlan(
  ledger: Ledger,
  { planFingerprint, isUntouched, ...plan }: ClosePlanInput,
): Promise<BegunStep[]> {
  const begun = await begunSteps(ledger, plan);
  // A ledger that was lost since the plan was opened knows of nothing, but the run does.
  if (begun.length > 0 || !isUntouched) await ledger.closePlan(plan, planFingerprint);
  return begun;
}

export async function readSteps(ledger: Ledger, plan: PlanId): Promise<BegunStep[]> {
  const records = await ledger.receipts(plan);
  return records
    .filter((record) => record.purpose === 'do' && (isSettled(record) || ambiguousAsks(record) > 0))
    .map((record) => {
      const { step_index: index, state } = record;
      if (undoOf(record, records)?.state === 'succeeded') return { index, state: 'undone' };
      return { index, state: isSettled(record) && state !== 'pending' ? state : 'unknown' };
    });
}

export const undoOf = (
  { step_index: index }: ActionRecord,
  records: readonly ActionRecord[],
): ActionRecord | undefined => records.find(({ purpose, step_index }) => purpose === 'undo' && step_index === index);
