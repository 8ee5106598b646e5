import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Driver, Kysely, PostgresDialect, SqliteDialect, SqliteDriver } from 'kysely';
import Database from 'libsql';
import pg from 'pg';
import { Ledger } from './ledger.js';
import { createTables, type LedgerSchema } from './schema.js';

/**
 * How long a SQLite call waits, blocking the process, for another process's write lock. Longer waits are left to the
 * caller's retry, which does not block.
 */
const busyTimeoutMs = 500;

/** An absent database is said soon; the activity is tried again later. */
const connectionTimeoutMs = 5_000;

/**
 * Opens the recorded-action store. `url` is `file:./data/ledger.db`, `file:///var/lib/ledger.db` or `postgres://…`.
 * Throws when it cannot be opened.
 */
export async function openLedger(url: string, now: () => number = Date.now): Promise<Ledger> {
  const dialect = /^postgres(ql)?:/.test(url) ? 'postgres' : 'sqlite';
  const database = new Kysely<LedgerSchema>({ dialect: dialect === 'postgres' ? openPostgres(url) : openSqlite(url) });
  try {
    await createTables(database, dialect);
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

/**
 * Takes the write lock when a transaction begins, and not by a prepared statement: libsql does not reset a statement
 * that found the file locked, and until it is garbage-collected no transaction of this connection can commit
 * (tursodatabase/libsql-client-ts issue 352).
 */
class LibsqlDialect extends SqliteDialect {
  constructor(private readonly settings: { database: Database.Database }) {
    super(settings);
  }

  override createDriver(): Driver {
    const { database } = this.settings;
    const driver = new SqliteDriver(this.settings);
    driver.beginTransaction = async () => {
      await Promise.resolve();
      database.exec('BEGIN IMMEDIATE');
    };
    return driver;
  }
}

function openSqlite(url: string): SqliteDialect {
  const path = ledgerFile(url);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const database = new Database(path, { timeout: busyTimeoutMs });
    database.exec('PRAGMA journal_mode = WAL');
    // A record must outlive a power cut: what it says was done may not be done again.
    database.exec('PRAGMA synchronous = FULL');
    return new LibsqlDialect({ database });
  } catch (error) {
    // SQLite's own message names no file.
    throw new Error(`Cannot open the ledger ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function openPostgres(url: string): PostgresDialect {
  // Our times and counts are safe as numbers; pg gives 64-bit integers as strings unless told so.
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString: url, types, connectionTimeoutMillis: connectionTimeoutMs });
  // A lost idle connection is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined);
  return new PostgresDialect({ pool });
}
