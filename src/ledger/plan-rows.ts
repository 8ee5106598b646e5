import type { ExpressionBuilder, Selectable, Transaction } from 'kysely';
import { planColumns, type PlanId } from './action-record.js';
import type { LedgerSchema, PlanTable } from './schema.js';

/** The rows of one plan, in either table. */
export const ofPlan = (plan: PlanId) => (row: ExpressionBuilder<LedgerSchema, 'plans' | 'actions'>) =>
  row.and(planColumns(plan));

/** Creates the plan's row unless there is one. */
export async function insertPlan(
  transaction: Transaction<LedgerSchema>,
  plan: PlanId,
  fingerprint: string,
  now: number,
): Promise<void> {
  await transaction
    .insertInto('plans')
    .values({
      ...planColumns(plan),
      fingerprint,
      state: 'open',
      opened_at: now,
      last_claim_at: null,
      fenced_until: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Reads the plan's row and locks it in either database: a write first, so that claims of one plan come one by one. */
export async function lockPlan(
  transaction: Transaction<LedgerSchema>,
  plan: PlanId,
  now: number,
): Promise<Selectable<PlanTable> | undefined> {
  return transaction
    .updateTable('plans')
    .set({ last_claim_at: now })
    .where(ofPlan(plan))
    .returningAll()
    .executeTakeFirst();
}
