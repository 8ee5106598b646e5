import { existsSync } from 'node:fs';
import { unknownError } from '../activities/once.js';
import { ambiguousAsks, type ActionRecord } from '../ledger/action-record.js';
import type { Ledger } from '../ledger/ledger.js';
import type { StepError, StepReport } from '../plan/report.js';
import type { StepResult } from '../plan/results.js';
import type { Temporal } from './temporal.js';

/** The ledger's records of a plan's steps, by key. */
export type PlanRecords = ReadonlyMap<string, ActionRecord>;

/** Opens the ledger to read in it. Throws when there is none: a new, empty one would deny what was done. */
export async function withLedger<T>(url: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  // Its libraries are a third of this program's start, and most commands need none of them.
  const { ledgerFile, openLedger } = await import('../ledger/open-ledger.js');
  if (url.startsWith('file:') && !existsSync(ledgerFile(url))) throw new Error(`there is no file ${ledgerFile(url)}`);
  const ledger = await openLedger(url);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/** Undefined if the ledger cannot be read here, or is one that never heard of the plan. */
export async function readRecords(
  { ledgerUrl, namespace }: Temporal,
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

/** How a step of a run that has ended stands by its record. */
export function recordedOutcome(record: ActionRecord): Partial<StepReport> {
  const { state, asks, replays } = record;
  const counts = { attempts: asks, replays };
  if (state === 'succeeded')
    return { status: state, ...counts, result: JSON.parse(record.result ?? 'null') as StepResult };
  if (state === 'pending') {
    if (ambiguousAsks(record) === 0) return { status: 'skipped', ...counts };
    return {
      status: 'outcome_unknown',
      ...counts,
      error: unknownError(record, 'the plan ended before an answer came'),
    };
  }
  const error = JSON.parse(record.error ?? 'null') as StepError;
  return { status: state === 'failed' ? 'failed' : 'outcome_unknown', ...counts, error };
}
