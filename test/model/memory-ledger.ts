import {
  type ActionRecord,
  ambiguousAsks,
  type Claim,
  isSettled,
  lostAsks,
  newRecord,
  planColumns,
  type PlanId,
  settled,
  type Settlement,
  timesOfNextAsk,
  wasOpened,
} from '../../src/ledger/action-record.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { checkMayAsk } from '../../src/ledger/may-ask.js';
import { PlanChanged, PlanClosed } from '../../src/ledger/refusals.js';

interface PlanRow {
  fingerprint: string;
  state: 'open' | 'closed';
  opened_at: number;
  fenced_until: number;
}

/** Where in-memory ledgers keep their rows; several may share one, as workers share a database. */
export class MemoryTables {
  readonly plans = new Map<string, PlanRow>();
  readonly actions = new Map<string, ActionRecord>();

  /** As after a lost disk. */
  lose(): void {
    this.plans.clear();
    this.actions.clear();
  }
}

/** The promises of `Ledger` without its private parts, so that something else may keep them. */
export type LedgerMethods = Pick<Ledger, keyof Ledger>;

/**
 * `Ledger` rule by rule on two maps, for a search that cannot pay for a database at every step. That it is no other
 * ledger is shown by the contract that all of them are held to, and by random courses run on both.
 */
export class MemoryLedger implements LedgerMethods {
  constructor(
    private readonly tables: MemoryTables,
    private readonly now: () => number,
  ) {}

  async checkWritable(): Promise<void> {
    await done;
  }

  async openPlan(plan: PlanId, fingerprint: string): Promise<void> {
    await done;
    const row = this.insertPlan(plan, fingerprint, this.now());
    if (row.fingerprint !== fingerprint) throw new PlanChanged(plan.workflowId);
    if (row.state === 'closed') throw new PlanClosed(plan.workflowId);
  }

  async closePlan(plan: PlanId, fingerprint: string): Promise<void> {
    await done;
    this.insertPlan(plan, fingerprint, 0).state = 'closed';
  }

  async claim(claim: Claim, mayBegin: () => void): Promise<ActionRecord> {
    await done;
    const now = this.now();
    const plan = this.tables.plans.get(planKey(claim));
    if (plan && plan.fingerprint !== claim.planFingerprint) throw new PlanChanged(claim.workflowId);
    const known = this.tables.actions.get(claim.key);
    if (known && known.step_fingerprint !== claim.stepFingerprint) throw new PlanChanged(claim.workflowId);
    if (known && isSettled(known)) return this.update(claim.key, { replays: known.replays + 1 });
    checkMayAsk(claim, plan, known, mayBegin);
    if (known) return this.update(claim.key, { ...timesOfNextAsk(known, now), state: 'pending', asks: known.asks + 1 });
    const { namespace, workflow_id } = planColumns(claim);
    for (const other of this.tables.actions.values()) {
      const isSameStep = other.step_index === claim.stepIndex && other.purpose === claim.purpose;
      const isSamePlan = other.namespace === namespace && other.workflow_id === workflow_id;
      if (isSamePlan && isSameStep) throw new PlanChanged(claim.workflowId);
    }
    this.tables.actions.set(claim.key, {
      ...columnDefaults,
      ...newRecord(claim, now),
      ...(wasOpened(plan) ? {} : lostAsks(claim)),
    });
    return this.require(claim.key);
  }

  async lease(key: string, duration: number): Promise<boolean> {
    await done;
    const record = this.tables.actions.get(key);
    if (!record || (record.lease_until !== null && record.lease_until >= this.now())) return false;
    this.update(key, { lease_until: this.now() + duration });
    return true;
  }

  async release(key: string): Promise<void> {
    await done;
    const record = this.require(key);
    if (!isSettled(record)) this.update(key, { denials: record.denials + 1, lease_until: null });
  }

  async deny(key: string): Promise<void> {
    await done;
    const record = this.require(key);
    if (!isSettled(record)) this.update(key, { denials: record.denials + 1 });
  }

  async accept(key: string, reference: string): Promise<void> {
    await done;
    if (!isSettled(this.require(key))) this.update(key, { reference });
  }

  async settle(
    key: string,
    settlement: Settlement,
    holds: (record: ActionRecord) => boolean = () => true,
  ): Promise<ActionRecord> {
    await done;
    const record = this.require(key);
    if (isSettled(record) || !holds(record)) return record;
    if (settlement.state === 'unknown' && record.state !== 'pending') return record;
    return this.update(key, settled(record, settlement, this.now()));
  }

  async resolve(key: string, settlement: Settlement): Promise<boolean> {
    await done;
    const record = this.tables.actions.get(key);
    if (!record || isSettled(record) || ambiguousAsks(record) === 0) return false;
    this.update(key, settled(record, settlement, this.now()));
    return true;
  }

  async fencePlan(plan: PlanId, scheduledAt: number): Promise<void> {
    await done;
    const row = this.tables.plans.get(planKey(plan));
    if (row) row.fenced_until = Math.max(row.fenced_until, scheduledAt);
  }

  async fence(plan: PlanId, key: string, scheduledAt: number): Promise<ActionRecord | undefined> {
    const record = await this.find(key);
    const row = this.tables.plans.get(planKey(plan));
    if (row && (!record || ambiguousAsks(record) === 0)) row.fenced_until = Math.max(row.fenced_until, scheduledAt);
    return record;
  }

  async find(key: string): Promise<ActionRecord | undefined> {
    await done;
    const record = this.tables.actions.get(key);
    return record && { ...record };
  }

  async knows(plan: PlanId): Promise<boolean> {
    await done;
    return wasOpened(this.tables.plans.get(planKey(plan)));
  }

  async receipts(plan: PlanId): Promise<ActionRecord[]> {
    await done;
    const { namespace, workflow_id } = planColumns(plan);
    return [...this.tables.actions.values()]
      .filter((record) => record.namespace === namespace && record.workflow_id === workflow_id)
      .sort((one, other) => one.step_index - other.step_index || one.purpose.localeCompare(other.purpose))
      .map((record) => ({ ...record }));
  }

  async close(): Promise<void> {
    await done;
  }

  private insertPlan(plan: PlanId, fingerprint: string, opened_at: number): PlanRow {
    const known = this.tables.plans.get(planKey(plan));
    if (known) return known;
    const row: PlanRow = { fingerprint, state: 'open', opened_at, fenced_until: 0 };
    this.tables.plans.set(planKey(plan), row);
    return row;
  }

  private update(key: string, changes: Partial<ActionRecord>): ActionRecord {
    this.tables.actions.set(key, { ...this.require(key), ...changes });
    return this.require(key);
  }

  private require(key: string): ActionRecord {
    const record = this.tables.actions.get(key);
    if (!record) throw new Error('no result');
    return { ...record };
  }
}

/** What the database fills in. */
const columnDefaults = {
  result: null,
  error: null,
  reference: null,
  denials: 0,
  replays: 0,
  settled_at: null,
  lease_until: null,
};

/** Every method answers a little later, as a database does, and changes its rows in one go. */
const done = Promise.resolve();

const planKey = ({ namespace, workflowId }: PlanId): string => JSON.stringify([namespace, workflowId]);
