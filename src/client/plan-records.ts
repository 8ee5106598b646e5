import { existsSync } from 'node:fs';
import { unknownError } from '../activities/unknown-error.js';
import { UsageError } from '../command.js';
import { ambiguousAsks, type ActionRecord } from '../ledger/action-record.js';
import type { Ledger } from '../ledger/ledger.js';
import type { StepError, StepReport, UndoReport } from '../plan/report.js';
import type { StepResult } from '../plan/results.js';
import type { ClientContext } from './temporal.js';

/** The ledger's records of a plan's steps, by key. */
export type PlanRecords = ReadonlyMap<string, ActionRecord>;

/** Opens the ledger. One that is not there is a `UsageError`: a new, empty one would deny what was done. */
export async function withLedger<T>(url: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await open(url).catch((error: unknown) => {
    throw new UsageError(`The ledger cannot be read (${(error as Error).message}); is LEDGER_URL right?`);
  });
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

async function open(url: string): Promise<Ledger> {
  // Its libraries are a third of this program's start, and most commands need none of them.
  const { ledgerFile, openLedger } = await import('../ledger/open-ledger.js');
  if (url.startsWith('file:') && !existsSync(ledgerFile(url))) throw new Error(`there is no file ${ledgerFile(url)}`);
  return openLedger(url);
}

/** Undefined if the ledger cannot be read here, or is one that never heard of the plan. */
export async function readRecords(
  { ledgerUrl, namespace }: ClientContext,
  workflowId: string,
): Promise<PlanRecords | undefined> {
  const plan = { namespace, workflowId };
  try {
    return await withLedger(ledgerUrl, async (ledger) => {
      if (!(await ledger.knows(plan))) return undefined;
      return new Map((await ledger.receipts(plan)).map((record) => [record.key, record]));
    });
  } catch {
    return undefined;
  }
}

/** A step of a run that has ended, with what its record says; undefined if it has none. */
export function recordedStep(step: StepReport, records: PlanRecords): StepReport | undefined {
  const record = step.key === undefined ? undefined : records.get(step.key);
  return record && { ...step, ...outcomeOf(record), attempts: record.asks, replays: record.replays };
}

/** The step with what its record has and the workflow's failure leaves out, to stay small: the result and the undo. */
export function completed(step: StepReport, records: PlanRecords): StepReport {
  const recorded = recordedStep(step, records);
  const { result } = recorded ?? {};
  const record = [...records.values()].find(
    ({ purpose, step_index }) => purpose === 'undo' && step_index === step.index,
  );
  const undo = record && outcomeOf(record);
  return {
    ...step,
    // This run may have made none of the attempts.
    ...(step.attempts === 0 && recorded ? { attempts: recorded.attempts, replays: recorded.replays } : {}),
    ...(result ? { result } : {}),
    ...(undo && undo.status !== 'skipped' ? { undo: { key: record.key, ...undo } as UndoReport } : {}),
    ...(undo?.status === 'succeeded' ? { status: 'undone' } : {}),
  };
}

function outcomeOf(record: ActionRecord): Pick<StepReport, 'status' | 'result' | 'error'> {
  const { state, result, error } = record;
  if (state === 'succeeded') return { status: state, ...(result ? { result: JSON.parse(result) as StepResult } : {}) };
  if (state === 'pending') {
    // It surely did nothing, though it was tried: the same as not begun.
    if (ambiguousAsks(record) === 0) return { status: 'skipped' };
    return { status: 'outcome_unknown', error: unknownError(record, 'the plan ended before an answer came') };
  }
  const status = state === 'failed' ? state : 'outcome_unknown';
  return { status, ...(error ? { error: JSON.parse(error) as StepError } : {}) };
}
