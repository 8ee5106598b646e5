import { type Kysely, sql } from 'kysely';
import type { KeyPurpose } from '../plan/idempotency-key.js';
import type { Tool } from '../plan/plan-schema.js';

export type ActionState = 'pending' | 'succeeded' | 'failed' | 'unknown';

/** One row a plan: which plan runs under a workflow id. */
export interface PlanTable {
  namespace: string;
  workflow_id: string;
  /** SHA-256 of the plan's canonical JSON. */
  fingerprint: string;
  /** A closed plan (undone) never acts again. */
  state: 'open' | 'closed';
  opened_at: number;
  last_claim_at: number | null;
  /** Attempts that were scheduled by then may begin nothing: their step was reported as not done. Server time, ms. */
  fenced_until: number;
}

/** One row an operation: what was asked under a key, and what came of it. Times are ms since the epoch. */
export interface ActionTable {
  key: string;
  namespace: string;
  workflow_id: string;
  step_index: number;
  purpose: KeyPurpose;
  tool: Tool;
  step_fingerprint: string;
  /** The request as JSON, byte for byte what is sent on every attempt. */
  request: string;
  /** The provider's account it was first sent to: another account is another key space. */
  account: string | null;
  state: ActionState;
  result: string | null;
  error: string | null;
  /** The provider's id of the effect (`pi_…`, `re_…`), known as soon as it was accepted. */
  reference: string | null;
  /** How often the provider was, or may have been, asked. */
  asks: number;
  /** How many of these asks surely did nothing (rate limit, key in use, …). */
  denials: number;
  /** How often the answer was given again from a record, the provider's or this one. */
  replays: number;
  first_asked_at: number;
  last_asked_at: number;
  settled_at: number | null;
  /** Until then one attempt alone may look for the effect and, if it is absent, act. */
  lease_until: number | null;
}

export interface LedgerSchema {
  plans: PlanTable;
  actions: ActionTable;
}

/** Any number that every worker of this application agrees on: PostgreSQL's advisory lock for creating the tables. */
const schemaLock = 4_201_042;

/** Creates what is missing. Safe when several workers start at once. */
export async function createTables(database: Kysely<LedgerSchema>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // PostgreSQL's CREATE TABLE IF NOT EXISTS can fail on a concurrent twin; SQLite has one writer anyway.
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${schemaLock})`.execute(transaction);
    await transaction.schema
      .createTable('plans')
      .ifNotExists()
      .addColumn('namespace', 'text', (column) => column.notNull())
      .addColumn('workflow_id', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('opened_at', 'bigint', (column) => column.notNull())
      .addColumn('last_claim_at', 'bigint')
      .addColumn('fenced_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('plans_pk', ['namespace', 'workflow_id'])
      .execute();
    await transaction.schema
      .createTable('actions')
      .ifNotExists()
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('namespace', 'text', (column) => column.notNull())
      .addColumn('workflow_id', 'text', (column) => column.notNull())
      .addColumn('step_index', 'integer', (column) => column.notNull())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('tool', 'text', (column) => column.notNull())
      .addColumn('step_fingerprint', 'text', (column) => column.notNull())
      .addColumn('request', 'text', (column) => column.notNull())
      .addColumn('account', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('result', 'text')
      .addColumn('error', 'text')
      .addColumn('reference', 'text')
      .addColumn('asks', 'integer', (column) => column.notNull())
      .addColumn('denials', 'integer', (column) => column.notNull())
      .addColumn('replays', 'integer', (column) => column.notNull())
      .addColumn('first_asked_at', 'bigint', (column) => column.notNull())
      .addColumn('last_asked_at', 'bigint', (column) => column.notNull())
      .addColumn('settled_at', 'bigint')
      .addColumn('lease_until', 'bigint')
      .execute();
    await transaction.schema
      .createIndex('actions_by_plan')
      .ifNotExists()
      .on('actions')
      .columns(['namespace', 'workflow_id', 'step_index'])
      .execute();
  });
}
