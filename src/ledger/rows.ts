import type { ExpressionBuilder, Transaction } from 'kysely';
import { type ActionRecord, planColumns, type PlanId } from './action-record.js';
import type { LedgerSchema } from './schema.js';

/** The rows of one plan, in either table. */
export const ofPlan = (plan: PlanId) => (row: ExpressionBuilder<LedgerSchema, 'plans' | 'actions'>) =>
  row.and(planColumns(plan));

/** False where the ledger was lost since: every plan is opened before its first step. */
export const wasOpened = (row: { opened_at: number } | undefined): boolean => row !== undefined && row.opened_at > 0;

/*
 * A row is read and locked in either database by a write first: what is read is then still true when it is written.
 * PostgreSQL would let two transactions read the same row and the later one overwrite the earlier; SQLite has no
 * `FOR UPDATE`. Always the plan's row before the action's: two orders would be a deadlock.
 */

export const lockPlan = (transaction: Transaction<LedgerSchema>, plan: PlanId, now: number) =>
  transaction.updateTable('plans').set({ last_claim_at: now }).where(ofPlan(plan)).returningAll();

export const lockAction = (transaction: Transaction<LedgerSchema>, key: string) =>
  transaction
    .updateTable('actions')
    .set((row) => ({ asks: row.ref('asks') }))
    .where('key', '=', key)
    .returningAll();

export const updateAction = (transaction: Transaction<LedgerSchema>, key: string, changes: Partial<ActionRecord>) =>
  transaction.updateTable('actions').set(changes).where('key', '=', key).returningAll().executeTakeFirstOrThrow();
