import type { Kysely, Transaction } from 'kysely';
import {
  type ActionRecord,
  ambiguousAsks,
  type Claim,
  isSettled,
  lostAsks,
  newRecord,
  planColumns,
  type PlanId,
  type Settlement,
  timesOfNextAsk,
} from './action-record.js';
import { checkMayAsk } from './may-ask.js';
import { PlanChanged, PlanClosed } from './refusals.js';
import { lockAction, lockPlan, ofPlan, updateAction, wasOpened } from './rows.js';
import type { LedgerSchema, PlanRow } from './schema.js';

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
    await this.write(async (transaction) => {
      await this.insertPlan(transaction, plan, fingerprint, this.now());
      const row = await lockPlan(transaction, plan, this.now()).executeTakeFirstOrThrow();
      if (row.fingerprint !== fingerprint) throw new PlanChanged(plan.workflowId);
      if (row.state === 'closed') throw new PlanClosed(plan.workflowId);
    });
  }

  /** From now on the plan begins nothing more, in no run. */
  async closePlan(plan: PlanId, fingerprint: string): Promise<void> {
    await this.write(async (transaction) => {
      // A plan that is closed here without having been opened here has lost its records.
      await this.insertPlan(transaction, plan, fingerprint, 0);
      await transaction.updateTable('plans').set({ state: 'closed' }).where(ofPlan(plan)).execute();
    });
  }

  /**
   * Claims an operation: the caller may now ask the provider once with the record's request, unless the record is
   * settled; then that is the answer. `mayBegin` is asked before the first claim of all; what it throws leaves no record.
   * Throws `PlanChanged`, `PlanClosed` or `AttemptTooLate`.
   */
  async claim(claim: Claim, mayBegin: () => void): Promise<ActionRecord> {
    return this.write(async (transaction) => {
      const now = this.now();
      const plan = await lockPlan(transaction, claim, now).executeTakeFirst();
      if (plan && plan.fingerprint !== claim.planFingerprint) throw new PlanChanged(claim.workflowId);
      const known = await lockAction(transaction, claim.key).executeTakeFirst();
      if (known) return this.claimAgain(transaction, claim, plan, known);
      checkMayAsk(claim, plan, known);
      mayBegin();
      const begun = await transaction
        .insertInto('actions')
        .values({ ...newRecord(claim, now), ...(wasOpened(plan) ? {} : lostAsks(claim)) })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (begun) return begun;
      // Where the plan's row is gone it could not be locked, and another attempt began at the same moment.
      const twin = await lockAction(transaction, claim.key).executeTakeFirstOrThrow();
      return this.claimAgain(transaction, claim, plan, twin);
    });
  }

  /** Takes the lease for `duration` ms. False if another attempt holds it. */
  async lease(key: string, duration: number): Promise<boolean> {
    return this.write(async (transaction) => {
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
    await this.changeOpen(key, ({ denials }) => ({ denials: denials + 1 }));
  }

  /** The provider accepted the request, but its outcome is not final yet. */
  async accept(key: string, reference: string): Promise<void> {
    await this.changeOpen(key, () => ({ reference }));
  }

  /**
   * Settles what is still open. Another attempt may have been faster: the record that is returned is the answer.
   * A late answer also replaces *unknown*; nothing ever replaces *succeeded* or *failed*.
   * `holds` is asked in the same transaction whether what the settlement rests on is still so.
   */
  async settle(
    key: string,
    { replayed, ...settlement }: Settlement,
    holds: (record: ActionRecord) => boolean = () => true,
  ): Promise<ActionRecord> {
    return this.changeOpen(key, (record) => {
      if (!holds(record) || (settlement.state === 'unknown' && record.state !== 'pending')) return undefined;
      return {
        ...settlement,
        ...(settlement.state === 'succeeded' ? { error: null } : {}),
        replays: record.replays + (replayed ? 1 : 0),
        settled_at: this.now(),
      };
    });
  }

  /**
   * A person settles what nobody could tell. False if there is nothing to settle: it was never asked, it surely did
   * nothing, or its outcome is known.
   */
  async resolve(key: string, settlement: Settlement): Promise<boolean> {
    const record = await this.find(key);
    if (!record || isSettled(record) || ambiguousAsks(record) === 0) return false;
    const { result, error } = await this.settle(key, settlement);
    // An answer that came at the same moment counts, whatever the person found.
    return settlement.state === 'succeeded' ? result === settlement.result : error === settlement.error;
  }

  /**
   * The record of a step that got no final answer. If it surely did nothing, no attempt that was scheduled before
   * `scheduledAt` may begin it any more: one that was paused before its claim would do what is reported as not done.
   */
  async fence(plan: PlanId, key: string, scheduledAt: number): Promise<ActionRecord | undefined> {
    return this.write(async (transaction) => {
      const row = await lockPlan(transaction, plan, this.now()).executeTakeFirst();
      const record = await lockAction(transaction, key).executeTakeFirst();
      if (row && (!record || ambiguousAsks(record) === 0)) {
        const fenced_until = Math.max(row.fenced_until, scheduledAt);
        await transaction.updateTable('plans').set({ fenced_until }).where(ofPlan(plan)).execute();
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
    return wasOpened(
      await this.database.selectFrom('plans').select('opened_at').where(ofPlan(plan)).executeTakeFirst(),
    );
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

  /** One transaction: all of it happens, or nothing. */
  private write<Result>(work: (transaction: Transaction<LedgerSchema>) => Promise<Result>): Promise<Result> {
    return this.database.transaction().execute(work);
  }

  private async insertPlan(
    transaction: Transaction<LedgerSchema>,
    plan: PlanId,
    fingerprint: string,
    opened_at: number,
  ): Promise<void> {
    await transaction
      .insertInto('plans')
      .values({ ...planColumns(plan), fingerprint, state: 'open', opened_at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  private claimAgain(
    transaction: Transaction<LedgerSchema>,
    claim: Claim,
    plan: PlanRow | undefined,
    known: ActionRecord,
  ): Promise<ActionRecord> {
    if (known.step_fingerprint !== claim.stepFingerprint) throw new PlanChanged(claim.workflowId);
    if (isSettled(known)) return updateAction(transaction, known.key, { replays: known.replays + 1 });
    checkMayAsk(claim, plan, known);
    // An unknown outcome is asked for again: the same key cannot act twice, and the answer may be had by now.
    const times = timesOfNextAsk(known, this.now());
    return updateAction(transaction, known.key, { ...times, state: 'pending', asks: known.asks + 1 });
  }

  /** Changes a record unless it is settled, or `change` finds nothing to do. Returns the record as it is then. */
  private changeOpen(
    key: string,
    change: (record: ActionRecord) => Partial<ActionRecord> | undefined,
  ): Promise<ActionRecord> {
    return this.write(async (transaction) => {
      const record = await lockAction(transaction, key).executeTakeFirstOrThrow();
      const changes = isSettled(record) ? undefined : change(record);
      return changes ? updateAction(transaction, key, changes) : record;
    });
  }
}
