import type { ExpressionBuilder, Transaction } from 'kysely';
import { type ActionRecord, planColumns, type PlanId } from './action-record.js';
import type { LedgerSchema, PlanRow } from './schema.js';

export type Tables = Transaction<LedgerSchema>;

/** The rows of one plan, in either table. */
export const ofPlan = (plan: PlanId) => (row: ExpressionBuilder<LedgerSchema, 'plans' | 'actions'>) =>
  row.and(planColumns(plan));

/** Leaves a row that is there as it is. */
export const insertPlan = (tables: Tables, plan: PlanId, fingerprint: string, opened_at: number) =>
  tables
    .insertInto('plans')
    .values({ ...planColumns(plan), fingerprint, state: 'open', opened_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/*
 * A row is read and locked in either database by a write first: what is read is then still true when it is written.
 * PostgreSQL would let two transactions read the same row and the later one overwrite the earlier; SQLite has no
 * `FOR UPDATE`. Always the plan's row before the action's: two orders would be a deadlock.
 */

export const updatePlan = (tables: Tables, plan: PlanId, changes: Partial<PlanRow>): Promise<PlanRow | undefined> =>
  tables.updateTable('plans').set(changes).where(ofPlan(plan)).returningAll().executeTakeFirst();

export const updateAction = (tables: Tables, key: string, changes: Partial<ActionRecord>): Promise<ActionRecord> =>
  tables.updateTable('actions').set(changes).where('key', '=', key).returningAll().executeTakeFirstOrThrow();

export const lockAction = (tables: Tables, key: string): Promise<ActionRecord | undefined> =>
  tables.updateTable('actions').set({ key }).where('key', '=', key).returningAll().executeTakeFirst();
