import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { LedgerSchema } from '../schema.js';

/**
 * How the tables came to be what they are, oldest first, in words that both databases understand. What was released is
 * never changed, only added to. The meaning of each column is in `schema.ts` and in docs/ledger.md.
 */
const migrations: readonly RawBuilder<unknown>[][] = [
  [
    sql`CREATE TABLE plans (
      namespace text NOT NULL, workflow_id text NOT NULL, fingerprint text NOT NULL, state text NOT NULL,
      opened_at bigint NOT NULL, last_claim_at bigint, fenced_until bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (namespace, workflow_id)
    )`,
    sql`CREATE TABLE actions (
      key text PRIMARY KEY NOT NULL, namespace text NOT NULL, workflow_id text NOT NULL,
      step_index integer NOT NULL, purpose text NOT NULL, tool text NOT NULL, step_fingerprint text NOT NULL,
      request text NOT NULL, account text, state text NOT NULL, result text, error text, reference text,
      asks integer NOT NULL, denials integer NOT NULL DEFAULT 0, replays integer NOT NULL DEFAULT 0,
      first_asked_at bigint NOT NULL, last_asked_at bigint NOT NULL, settled_at bigint, lease_until bigint
    )`,
    // One record an operation, whatever its key: a build with another recipe for keys finds the step taken.
    sql`CREATE UNIQUE INDEX actions_by_plan ON actions (namespace, workflow_id, step_index, purpose)`,
  ],
];

/** Any number that every worker of this application agrees on: PostgreSQL's advisory lock for changing the tables. */
const migrationLock = 4_201_042;

/**
 * Brings the tables up to date. Safe when several workers start at once, and a worker that is killed meanwhile leaves the
 * tables as they were. Throws if they are newer than this code.
 */
export async function migrate(database: Kysely<LedgerSchema>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  // Looked at first: what follows takes locks and needs rights, and who only reads must neither wait for a writer nor be one.
  if ((await versionOf(database).catch(() => 0)) === migrations.length) return;
  await database.transaction().execute(async (transaction) => {
    // PostgreSQL's CREATE TABLE IF NOT EXISTS can fail on a concurrent twin; SQLite has one writer anyway.
    if (dialect === 'postgres') await sql`SELECT pg_advisory_xact_lock(${migrationLock})`.execute(transaction);
    await sql`CREATE TABLE IF NOT EXISTS ledger_version (version integer NOT NULL)`.execute(transaction);
    const version = await versionOf(transaction);
    if (version > migrations.length) {
      throw new Error(
        `The ledger's tables have version ${version}, this code knows ${migrations.length}: update this program`,
      );
    }
    for (const statement of migrations.slice(version).flat()) await statement.execute(transaction);
    await transaction.deleteFrom('ledger_version').execute();
    await transaction.insertInto('ledger_version').values({ version: migrations.length }).execute();
  });
}

/** 0 for a database without tables. */
async function versionOf(database: Kysely<LedgerSchema>): Promise<number> {
  const row = await database.selectFrom('ledger_version').select('version').executeTakeFirst();
  return row?.version ?? 0;
}
