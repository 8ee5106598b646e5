import type { Kysely, Selectable, Transaction } from 'kysely';
import type { KeyPurpose } from '../plan/idempotency-key.js';
import type { Tool } from '../plan/plan-schema.js';
import { PlanChanged, PlanClosed } from './refusals.js';
import type { ActionTable, LedgerSchema, PlanTable } from './schema.js';

export type ActionRecord = Selectable<ActionTable>;

export interface PlanId {
  namespace: string;
  workflowId: string;
}

/** One operation of a plan, about to be claimed. */
export interface Claim extends PlanId {
  key: string;
  stepIndex: number;
  purpose: KeyPurpose;
  tool: Tool;
  planFingerprint: string;
  stepFingerprint: string;
  /** What would be sent if this is the first claim, as JSON; later claims send what was recorded. */
  request: string;
  account: string | null;
}

/** What an operation came to. `result` and `error` are JSON. */
export type Settlement =
  | { state: 'succeeded'; result: string; reference: string; replayed: boolean }
  | { state: 'failed' | 'unknown'; error: string; replayed: boolean };

/**
 * Whether the record is the answer. A half-written record (succeeded without its result) is none: the same key is
 * asked again, and the provider gives the result again.
 */
export const isSettled = ({ state, result, error }: Pick<ActionRecord, 'state' | 'result' | 'error'>): boolean =>
  (state === 'succeeded' && result !== null) || (state === 'failed' && error !== null);

/** An ask that did not end in a sure "nothing happened" may have taken effect, whatever was heard of it. */
export const ambiguousAsks = ({ asks, denials }: Pick<ActionRecord, 'asks' | 'denials'>): number => asks - denials;

/**
 * The recorded-action store. Every method is one transaction; any of them may be repeated.
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
      await transaction
        .insertInto('plans')
        .values({ ...planColumns(plan), fingerprint, state: 'open', opened_at: this.now(), last_claim_at: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = await this.lockPlan(transaction, plan);
      if (row && row.fingerprint !== fingerprint) throw new PlanChanged(plan.workflowId);
      if (row?.state === 'closed') throw new PlanClosed(plan.workflowId);
    });
  }

  /**
   * Claims an operation: the caller may now ask the provider once with the record's request, unless the record is
   * settled; then that is the answer. `mayBegin` is asked before the first claim of all; what it throws leaves no record.
   * Throws `PlanChanged` or `PlanClosed`.
   */
  async claim(claim: Claim, mayBegin: () => void): Promise<ActionRecord> {
    return this.database.transaction().execute(async (transaction) => {
      const now = this.now();
      const plan = await this.lockPlan(transaction, claim);
      if (plan && plan.fingerprint !== claim.planFingerprint) throw new PlanChanged(claim.workflowId);
      const known = await transaction.selectFrom('actions').selectAll().where('key', '=', claim.key).executeTakeFirst();
      if (known && known.step_fingerprint !== claim.stepFingerprint) throw new PlanChanged(claim.workflowId);
      if (known && isSettled(known)) {
        return this.update(transaction, claim.key, { replays: known.replays + 1 });
      }
      if (plan?.state === 'closed' && claim.purpose === 'do') throw new PlanClosed(claim.workflowId);
      if (known) {
        // An unknown outcome is asked for again: the same key cannot act twice, and the answer may be had by now.
        return this.update(transaction, claim.key, { state: 'pending', asks: known.asks + 1, last_asked_at: now });
      }
      mayBegin();
      return transaction
        .insertInto('actions')
        .values({
          ...{ key: claim.key, ...planColumns(claim), step_index: claim.stepIndex, purpose: claim.purpose },
          ...{ tool: claim.tool, step_fingerprint: claim.stepFingerprint },
          ...{
            request: claim.request,
            account: claim.account,
            state: 'pending',
            result: null,
            error: null,
            reference: null,
          },
          ...{ asks: 1, denials: 0, replays: 0, first_asked_at: now, last_asked_at: now, settled_at: null },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  /** The ask of the latest claim surely did nothing. */
  async deny(key: string): Promise<void> {
    await this.database
      .updateTable('actions')
      .set((row) => ({ denials: row('denials', '+', 1) }))
      .where('key', '=', key)
      .where('state', 'in', ['pending', 'unknown'])
      .execute();
  }

  /** The provider accepted the request, but its outcome is not final yet. */
  async accept(key: string, reference: string): Promise<void> {
    await this.database.updateTable('actions').set({ reference }).where('key', '=', key).execute();
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

  /** The record of one operation, if it was ever claimed. */
  async find(key: string): Promise<ActionRecord | undefined> {
    return this.database.selectFrom('actions').selectAll().where('key', '=', key).executeTakeFirst();
  }

  /** Whether a plan was ever opened under this id. */
  async knows(plan: PlanId): Promise<boolean> {
    const row = await this.database
      .selectFrom('plans')
      .select('state')
      .where('namespace', '=', plan.namespace)
      .where('workflow_id', '=', plan.workflowId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** All records of a plan, in the order of its steps. */
  async receipts(plan: PlanId): Promise<ActionRecord[]> {
    return this.database
      .selectFrom('actions')
      .selectAll()
      .where('namespace', '=', plan.namespace)
      .where('workflow_id', '=', plan.workflowId)
      .orderBy('step_index')
      .orderBy('purpose')
      .execute();
  }

  async close(): Promise<void> {
    await this.database.destroy();
  }

  /** Reads the plan's row and locks it in either database: a write first, so that claims of one plan come one by one. */
  private async lockPlan(
    transaction: Transaction<LedgerSchema>,
    plan: PlanId,
  ): Promise<Selectable<PlanTable> | undefined> {
    return transaction
      .updateTable('plans')
      .set({ last_claim_at: this.now() })
      .where('namespace', '=', plan.namespace)
      .where('workflow_id', '=', plan.workflowId)
      .returningAll()
      .executeTakeFirst();
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

const planColumns = (plan: PlanId) => ({ namespace: plan.namespace, workflow_id: plan.workflowId });
