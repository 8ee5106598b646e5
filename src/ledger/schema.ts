import { type Generated, type Kysely, type Selectable, sql } from 'kysely';
import type { KeyPurpose } from '../plan/idempotency-key.js';

export type ActionState = 'pending' | 'succeeded' | 'failed' | 'unknown';

/** One row a plan: which plan runs under a workflow id. */
export interface PlanTable {
  namespace: string;
  workflow_id: string;
  /** SHA-256 of the plan's canonical JSON. */
  fingerprint: string;
  /** A closed plan (undone) never acts again. */
  state: 'open' | 'closed';
  /** 0 if it never was, in this ledger: it was only closed, by a run whose records are lost. */
  opened_at: number;
  last_claim_at: number | null;
  /** Attempts that were scheduled by then may begin nothing: their step was reported as not done. Server time, ms. */
  fenced_until: Generated<number>;
}

export type PlanRow = Selectable<PlanTable>;

/** One row an operation: what was asked under a key, and what came of it. Times are ms since the epoch. */
export interface ActionTable {
  key: string;
  namespace: string;
  workflow_id: string;
  step_index: number;
  purpose: KeyPurpose;
  tool: string;
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

/** In words that both databases understand; the meaning of each column is above, and in docs/ledger.md. */
const tables = [
  sql`CREATE TABLE IF NOT EXISTS plans (
    namespace text NOT NULL, workflow_id text NOT NULL, fingerprint text NOT NULL, state text NOT NULL,
    opened_at bigint NOT NULL, last_claim_at bigint, fenced_until bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (namespace, workflow_id)
  )`,
  sql`CREATE TABLE IF NOT EXISTS actions (
    key text PRIMARY KEY NOT NULL, namespace text NOT NULL, workflow_id text NOT NULL,
    step_index integer NOT NULL, purpose text NOT NULL, tool text NOT NULL, step_fingerprint text NOT NULL,
    request text NOT NULL, account text, state text NOT NULL, result text, error text, reference text,
    asks integer NOT NULL, denials integer NOT NULL DEFAULT 0, replays integer NOT NULL DEFAULT 0,
    first_asked_at bigint NOT NULL, last_asked_at bigint NOT NULL, settled_at bigint, lease_until bigint
  )`,
  sql`CREATE INDEX IF NOT EXISTS actions_by_plan ON actions (namespace, workflow_id, step_index)`,
];

/** Creates what is missing. Safe when several workers start at once. */
export async function createTables(database: Kysely<LedgerSchema>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  if (await hasTables(database)) return;
  await database.transaction().execute(async (transaction) => {
    // PostgreSQL's CREATE TABLE IF NOT EXISTS can fail on a concurrent twin; SQLite has one writer anyway.
    if (dialect === 'postgres') await sql`SELECT pg_advisory_xact_lock(${schemaLock})`.execute(transaction);
    for (const table of tables) await table.execute(transaction);
  });
}

/**
 * Looks before creating: CREATE … IF NOT EXISTS takes locks and needs rights, although there is nothing to do. Who only
 * reads must neither wait for a writer nor be one.
 */
async function hasTables(database: Kysely<LedgerSchema>): Promise<boolean> {
  try {
    await database.selectFrom(['plans', 'actions']).select('actions.key').limit(0).execute();
    return true;
  } catch {
    return false;
  }
}
