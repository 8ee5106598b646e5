import type { Kysely } from 'kysely';
import * as action from './action-record.js';
import type { ActionRecord, Claim, PlanId, Settlement } from './action-record.js';
import { checkMayAsk } from './may-ask.js';
import { PlanChanged, PlanClosed } from './refusals.js';
import { insertPlan, lockAction, ofPlan, type Tables, updateAction, updatePlan } from './rows.js';
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

  /** Throws if nothing can be recorded here: a file or a role that may only be read. */
  async checkWritable(): Promise<void> {
    await this.write((tables) => lockAction(tables, ''));
  }

  /** Creates the plan's row, or compares it. Throws `PlanChanged` or `PlanClosed`. */
  async openPlan(plan: PlanId, fingerprint: string): Promise<void> {
    await this.write(async (tables) => {
      await insertPlan(tables, plan, fingerprint, this.now());
      const row = await updatePlan(tables, plan, { last_claim_at: this.now() });
      if (row?.fingerprint !== fingerprint) throw new PlanChanged(plan.workflowId);
      if (row.state === 'closed') throw new PlanClosed(plan.workflowId);
    });
  }

  /** From now on the plan begins nothing more, in no run. */
  async closePlan(plan: PlanId, fingerprint: string): Promise<void> {
    await this.write(async (tables) => {
      // A plan that is closed here without having been opened here has lost its records.
      await insertPlan(tables, plan, fingerprint, 0);
      await updatePlan(tables, plan, { state: 'closed' });
    });
  }

  /**
   * Claims an operation: the caller may now ask the provider once with the record's request, unless the record is
   * settled; then that is the answer. `mayBegin` is asked while surely nothing was done; what it throws changes nothing.
   * Throws `PlanChanged`, `PlanClosed` or `AttemptTooLate`.
   */
  async claim(claim: Claim, mayBegin: () => void): Promise<ActionRecord> {
    return this.write(async (tables) => {
      const plan = await updatePlan(tables, claim, { last_claim_at: this.now() });
      if (plan && plan.fingerprint !== claim.planFingerprint) throw new PlanChanged(claim.workflowId);
      const check = (known?: ActionRecord): void => checkMayAsk(claim, plan, known, mayBegin);
      const known = await lockAction(tables, claim.key);
      if (known) return this.claimAgain(tables, claim, known, check);
      check();
      const begun = await tables
        .insertInto('actions')
        .values({ ...action.newRecord(claim, this.now()), ...(action.wasOpened(plan) ? {} : action.lostAsks(claim)) })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (begun) return begun;
      // Where the plan's row is gone it could not be locked, and another attempt began at the same moment.
      const twin = await lockAction(tables, claim.key);
      // Or the step is recorded under another key, by a build with another recipe: here it would be a new operation.
      if (!twin) throw new PlanChanged(claim.workflowId);
      return this.claimAgain(tables, claim, twin, check);
    });
  }

  /** Takes the lease for `duration` ms. False if another attempt holds it. */
  async lease(key: string, duration: number): Promise<boolean> {
    return this.write(async (tables) => {
      const record = await lockAction(tables, key);
      if (!record || Number(record.lease_until) >= this.now()) return false;
      await updateAction(tables, key, { lease_until: this.now() + duration });
      return true;
    });
  }

  /** Whoever holds the lease asks nothing after all: the next attempt need not wait. */
  async release(key: string): Promise<void> {
    await this.changeOpen(key, ({ denials }) => ({ denials: denials + 1, lease_until: null }));
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
    settlement: Settlement,
    holds: (record: ActionRecord) => boolean = () => true,
  ): Promise<ActionRecord> {
    return this.changeOpen(key, (record) => {
      if (!holds(record) || (settlement.state === 'unknown' && record.state !== 'pending')) return undefined;
      return action.settled(record, settlement, this.now());
    });
  }

  /**
   * A person settles what nobody could tell. False if there is nothing to settle: it was never asked, it surely did
   * nothing, or its outcome is known.
   */
  async resolve(key: string, settlement: Settlement): Promise<boolean> {
    return this.write(async (tables) => {
      const record = await lockAction(tables, key);
      if (!record || action.isSettled(record) || action.ambiguousAsks(record) === 0) return false;
      await updateAction(tables, key, action.settled(record, settlement, this.now()));
      return true;
    });
  }

  /**
   * The record of a step that got no final answer. If it surely did nothing, no attempt that was scheduled before
   * `scheduledAt` may begin it any more: one that was paused before its claim would do what is reported as not done.
   */
  async fence(plan: PlanId, key: string, scheduledAt: number): Promise<ActionRecord | undefined> {
    return this.write(async (tables) => {
      await updatePlan(tables, plan, { last_claim_at: this.now() });
      const record = await lockAction(tables, key);
      if (!record || action.ambiguousAsks(record) === 0) await this.raiseFence(tables, plan, scheduledAt);
      return record;
    });
  }

  /** The same for all steps of which there is no record: a run that ends reports them as not begun. */
  async fencePlan(plan: PlanId, scheduledAt: number): Promise<void> {
    await this.write((tables) => this.raiseFence(tables, plan, scheduledAt));
  }

  /** The record of one operation, if it was ever claimed. */
  async find(key: string): Promise<ActionRecord | undefined> {
    return this.database.selectFrom('actions').selectAll().where('key', '=', key).executeTakeFirst();
  }

  /** Whether a plan was ever opened under this id. */
  async knows(plan: PlanId): Promise<boolean> {
    const row = await this.database.selectFrom('plans').select('opened_at').where(ofPlan(plan)).executeTakeFirst();
    return action.wasOpened(row);
  }

  /** All records of a plan, in the order of its steps. */
  async receipts(plan: PlanId): Promise<ActionRecord[]> {
    const ofThePlan = this.database.selectFrom('actions').selectAll().where(ofPlan(plan));
    return ofThePlan.orderBy('step_index').orderBy('purpose').execute();
  }

  async close(): Promise<void> {
    await this.database.destroy();
  }

  /** One transaction: all of it happens, or nothing. */
  private write<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result> {
    return this.database.transaction().execute(work);
  }

  private async raiseFence(tables: Tables, plan: PlanId, until: number): Promise<void> {
    const row = await updatePlan(tables, plan, { last_claim_at: this.now() });
    if (row) await updatePlan(tables, plan, { fenced_until: Math.max(row.fenced_until, until) });
  }

  private claimAgain(tables: Tables, claim: Claim, known: ActionRecord, check: (known: ActionRecord) => void) {
    if (known.step_fingerprint !== claim.stepFingerprint) throw new PlanChanged(claim.workflowId);
    if (action.isSettled(known)) return updateAction(tables, known.key, { replays: known.replays + 1 });
    check(known);
    // An unknown outcome is asked for again: the same key cannot act twice, and the answer may be had by now.
    const times = action.timesOfNextAsk(known, this.now());
    return updateAction(tables, known.key, { ...times, state: 'pending', asks: known.asks + 1 });
  }

  /** Changes a record unless it is settled, or `change` finds nothing to do. Returns the record as it is then. */
  private changeOpen(
    key: string,
    change: (record: ActionRecord) => Partial<ActionRecord> | undefined,
  ): Promise<ActionRecord> {
    return this.write(async (tables) => {
      const record = await updateAction(tables, key, { key });
      const changes = action.isSettled(record) ? undefined : change(record);
      return changes ? updateAction(tables, key, changes) : record;
    });
  }
}
