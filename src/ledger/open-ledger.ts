import { fileURLToPath } from 'node:url';
import { Kysely } from 'kysely';
import { migrate } from './database/migrations.js';
import { openPostgres } from './database/postgres.js';
import { openSqlite } from './database/sqlite.js';
import { Ledger } from './ledger.js';
import type { LedgerSchema } from './schema.js';

/**
 * Opens the recorded-action store. `url` is `file:./data/ledger.db`, `file:///var/lib/ledger.db` or `postgres://…`.
 * Throws when it cannot be opened.
 */
export async function openLedger(url: string, now: () => number = Date.now): Promise<Ledger> {
  const kind = /^postgres(ql)?:/.test(url) ? 'postgres' : 'sqlite';
  const dialect = kind === 'postgres' ? openPostgres(url) : await openSqlite(ledgerFile(url));
  const database = new Kysely<LedgerSchema>({ dialect });
  try {
    await migrate(database, kind);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return new Ledger(database, now);
}

/** The file that the ledger's URL names; for a ledger that is none, where its file would be by default. */
export function ledgerFile(url: string): string {
  if (!url.startsWith('file:')) return 'data/ledger.db';
  return url.startsWith('file://') ? fileURLToPath(url) : url.replace(/^file:/, '');
}
