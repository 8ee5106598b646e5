import type { Kysely, Transaction } from 'kysely';
import {
  type ActionRecord,
  ambiguousAsks,
  type Claim,
  isSettled,
  lostAsks,
  newRecord,
  type PlanId,
  type Settlement,
} from './action-record.js';
import { insertPlan, lockPlan, ofPlan } from './plan-rows.js';
import { AttemptTooLate, PlanChanged, PlanClosed } from './refusals.js';
import type { LedgerSchema } from './schema.js';

/**
 * The recorded-action store. Every method that writes is one transaction; any of them may be repeated.
 * Times come from `now` (ms), so that a test can be a day older than the machine.
 */
export class Ledger {
  constructor(
    private readonly database: Kysely<LedgerSchema>,
    private readonly now: () => number,
  ) {}

  /** Creates the plan's row, or compares it. Throws `PlanChanged` or `PlanClosed`. */
  async openPlan(plan: PlanId, fingerprint: string): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      await insertPlan(transaction, plan, fingerprint, this.now());
      const row = await lockPlan(transaction, plan, this.now());
      if (row && row.fingerprint !== fingerprint) throw new PlanChanged(plan.workflowId);
      if (row?.state === 'closed') throw new PlanClosed(plan.workflowId);
    });
  }

  /** From now on the plan begins nothing more, in no run. */
  async closePlan(plan: PlanId, fingerprint: string): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      await insertPlan(transaction, plan, fingerprint, this.now());
      await transaction.updateTable('plans').set({ state: 'closed' }).where(ofPlan(plan)).execute();
    });
  }

  /**
   * Claims an operation: the caller may now ask the provider once with the record's request, unless the record is
   * settled; then that is the answer. `mayBegin` is asked before the first claim of all; what it throws leaves no record.
   * Throws `PlanChanged`, `PlanClosed` or `AttemptTooLate`.
   */
  async claim(claim: Claim, mayBegin: () => void): Promise<ActionRecord> {
    return this.database.transaction().execute(async (transaction) => {
      const now = this.now();
      const plan = await lockPlan(transaction, claim, now);
      if (plan && plan.fingerprint !== claim.planFingerprint) throw new PlanChanged(claim.workflowId);
      const known = await transaction.selectFrom('actions').selectAll().where('key', '=', claim.key).executeTakeFirst();
      if (known && known.step_fingerprint !== claim.stepFingerprint) throw new PlanChanged(claim.workflowId);
      if (known && isSettled(known)) return this.update(transaction, claim.key, { replays: known.replays + 1 });
      const mayAsk =
        claim.forUndo === true ? known !== undefined : plan?.state !== 'closed' || claim.purpose === 'undo';
      if (!mayAsk) throw new PlanClosed(claim.workflowId);
      const isFenced = plan !== undefined && claim.attemptScheduledAt <= plan.fenced_until;
      if (isFenced && claim.purpose === 'do' && (!known || ambiguousAsks(known) === 0))
        throw new AttemptTooLate(claim.key);
      if (known) {
        // An unknown outcome is asked for again: the same key cannot act twice, and the answer may be had by now.
        const last_asked_at = Math.max(now, known.last_asked_at);
        return this.update(transaction, claim.key, { state: 'pending', asks: known.asks + 1, last_asked_at });
      }
      mayBegin();
      return transaction
        .insertInto('actions')
        .values({ ...newRecord(claim, now), ...(plan ? {} : lostAsks(claim)) })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  /** Takes the lease for `duration` ms. False if another attempt holds it. */
  async lease(key: string, duration: number): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      const now = this.now();
      const { numUpdatedRows } = await transaction
        .updateTable('actions')
        .set({ lease_until: now + duration })
        .where('key', '=', key)
        .where((row) => row.or([row('lease_until', 'is', null), row('lease_until', '<', now)]))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });
  }

  /** The ask of the latest claim surely did nothing. */
  async deny(key: string): Promise<void> {
    await this.database.transaction().execute((transaction) =>
      transaction
        .updateTable('actions')
        .set((row) => ({ denials: row('denials', '+', 1) }))
        .where('key', '=', key)
        .where('state', 'in', ['pending', 'unknown'])
        .execute(),
    );
  }

  /** The provider accepted the request, but its outcome is not final yet. */
  async accept(key: string, reference: string): Promise<void> {
    await this.database
      .transaction()
      .execute((transaction) => transaction.updateTable('actions').set({ reference }).where('key', '=', key).execute());
  }

  /**
   * Settles what is still open. Another attempt may have been faster: the record that is returned is the answer.
   * A late answer also replaces *unknown*; nothing ever replaces *succeeded* or *failed*.
   */
  async settle(key: string, { replayed, ...settlement }: Settlement): Promise<ActionRecord> {
    return this.database.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('actions')
        .set((row) => ({
          ...settlement,
          ...(settlement.state === 'succeeded' ? { error: null } : {}),
          replays: row('replays', '+', replayed ? 1 : 0),
          settled_at: this.now(),
        }))
        .where('key', '=', key)
        .where('state', 'in', settlement.state === 'unknown' ? ['pending'] : ['pending', 'unknown'])
        .execute();
      return this.require(transaction, key);
    });
  }

  /**
   * A person settles what nobody could tell. False if there is nothing to settle: it was never asked, it surely did
   * nothing, or its outcome is known.
   */
  async resolve(key: string, settlement: Settlement): Promise<boolean> {
    const record = await this.find(key);
    if (!record || isSettled(record) || ambiguousAsks(record) === 0) return false;
    const { state } = await this.settle(key, settlement);
    return state === settlement.state;
  }

  /**
   * The record of a step that got no final answer. If it surely did nothing, no attempt that was scheduled before
   * `scheduledAt` may begin it any more: one that was paused before its claim would do what is reported as not done.
   */
  async fence(plan: PlanId, key: string, scheduledAt: number): Promise<ActionRecord | undefined> {
    return this.database.transaction().execute(async (transaction) => {
      const row = await lockPlan(transaction, plan, this.now());
      const record = await transaction.selectFrom('actions').selectAll().where('key', '=', key).executeTakeFirst();
      if (row && (!record || ambiguousAsks(record) === 0)) {
        await transaction
          .updateTable('plans')
          .set({ fenced_until: Math.max(row.fenced_until, scheduledAt) })
          .where(ofPlan(plan))
          .execute();
      }
      return record;
    });
  }

  /** The record of one operation, if it was ever claimed. */
  async find(key: string): Promise<ActionRecord | undefined> {
    return this.database.selectFrom('actions').selectAll().where('key', '=', key).executeTakeFirst();
  }

  /** Whether a plan was ever opened under this id. */
  async knows(plan: PlanId): Promise<boolean> {
    const row = await this.database.selectFrom('plans').select('state').where(ofPlan(plan)).executeTakeFirst();
    return row !== undefined;
  }

  /** All records of a plan, in the order of its steps. */
  async receipts(plan: PlanId): Promise<ActionRecord[]> {
    return this.database
      .selectFrom('actions')
      .selectAll()
      .where(ofPlan(plan))
      .orderBy('step_index')
      .orderBy('purpose')
      .execute();
  }

  async close(): Promise<void> {
    await this.database.destroy();
  }

  private async update(
    transaction: Transaction<LedgerSchema>,
    key: string,
    changes: Partial<ActionRecord>,
  ): Promise<ActionRecord> {
    await transaction.updateTable('actions').set(changes).where('key', '=', key).execute();
    return this.require(transaction, key);
  }

  private async require(transaction: Transaction<LedgerSchema>, key: string): Promise<ActionRecord> {
    return transaction.selectFrom('actions').selectAll().where('key', '=', key).executeTakeFirstOrThrow();
  }
}
