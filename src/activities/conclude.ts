import { ambiguousAsks, type ActionRecord, isSettled, type PlanId } from '../ledger/action-record.js';
import type { Ledger } from '../ledger/ledger.js';
import type { StepError } from '../plan/report.js';
import type { StepResult } from '../plan/results.js';
import { unknownError } from './unknown-error.js';

export interface ConcludeInput extends PlanId {
  key: string;
  /** What was heard last, for people. */
  lastFailure: string;
}

/** How a step stands after its attempts or its time ran out. */
export type Conclusion = { asks: number; replays: number } & (
  | { state: 'succeeded'; result: StepResult }
  | { state: 'failed' | 'unknown'; error: StepError }
  /** It surely did not happen; another run may try it again. */
  | { state: 'not_done' }
);

/**
 * The last word on a step that got no final answer. The last attempt's failure does not tell: an earlier ask may have
 * worked, or a late attempt may have settled the record meanwhile. Only the record knows.
 */
export async function conclude(
  ledger: Ledger,
  { key, lastFailure, ...plan }: ConcludeInput,
  scheduledAt: number,
): Promise<Conclusion> {
  const record = await ledger.fence(plan, key, scheduledAt);
  if (!record) return (await ledger.knows(plan)) ? { state: 'not_done', asks: 0, replays: 0 } : recordsLost(key);
  if (isSettled(record) || record.state === 'unknown') return conclusion(record);
  if (ambiguousAsks(record) === 0) return { state: 'not_done', asks: record.asks, replays: record.replays };
  const error = JSON.stringify(unknownError(record, lastFailure));
  return conclusion(await ledger.settle(key, { state: 'unknown', error, replayed: false }));
}

/** No record of a plan that was opened: the ledger was lost since, and what it knew of earlier asks with it. */
function recordsLost(key: string): Conclusion {
  const message =
    'The ledger has lost the records of this plan, so it is not known whether the step took effect. ' +
    `Look for ${key} at the provider before the plan is started again.`;
  return { state: 'unknown', error: { type: 'outcome_unknown', message }, asks: 0, replays: 0 };
}

function conclusion({ state, result, error, asks, replays }: ActionRecord): Conclusion {
  if (state === 'succeeded') return { state, result: JSON.parse(result ?? 'null') as StepResult, asks, replays };
  return {
    state: state === 'failed' ? state : 'unknown',
    error: JSON.parse(error ?? 'null') as StepError,
    asks,
    replays,
  };
}
