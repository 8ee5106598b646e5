import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Driver, SqliteDialect, SqliteDriver } from 'kysely';
import Database from 'libsql';

/** How long a transaction waits for another process's write lock. Longer waits are left to the caller's retry. */
const lockTimeoutMs = 5_000;

/** SQLite waits by blocking the whole process: it may wait this long at a time, … */
const blockingMs = 10;

/** … and then everything else in the process has its turn. */
const pauseMs = 20;

/** Opens or makes the file. */
export async function openSqlite(path: string): Promise<SqliteDialect> {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const database = new Database(path, { timeout: blockingMs });
    // SQLite does not wait here for another process that is making the same file, whatever the time-out.
    await executeWithLock(database, 'PRAGMA journal_mode = WAL');
    // A record must outlive a power cut: what it says was done may not be done again. It reads the tables' names, for which
    // it must wait as well.
    await executeWithLock(database, 'PRAGMA synchronous = FULL');
    return new LedgerDialect({ database });
  } catch (error) {
    // SQLite's own message names no file.
    throw new Error(`Cannot open the ledger ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Takes the write lock when a transaction begins, and waits for it without blocking the process. */
class LedgerDialect extends SqliteDialect {
  constructor(private readonly settings: { database: Database.Database }) {
    super(settings);
  }

  override createDriver(): Driver {
    const { database } = this.settings;
    const driver = new SqliteDriver(this.settings);
    const takeTurn = driver.acquireConnection.bind(driver);
    let askedAt = 0;
    driver.acquireConnection = async () => {
      // Transactions take turns. The wait for the turn counts, or a long lock would make a longer and longer queue.
      const now = performance.now();
      const connection = await takeTurn();
      askedAt = now;
      return connection;
    };
    driver.beginTransaction = () => executeWithLock(database, 'BEGIN IMMEDIATE', askedAt);
    return driver;
  }
}

/** Executes a statement that needs a lock; waits for it without blocking the process, `lockTimeoutMs` from `since` on. */
async function executeWithLock(
  database: Database.Database,
  statement: string,
  since = performance.now(),
): Promise<void> {
  while (!tryToExecute(database, statement, performance.now() - since < lockTimeoutMs)) await pause(pauseMs);
}

/**
 * Not by a prepared statement: libsql does not reset one that found the file locked, and until it is garbage-collected
 * no transaction of this connection can commit (tursodatabase/libsql-client-ts issue 352).
 */
function tryToExecute(database: Database.Database, statement: string, mayWait: boolean): boolean {
  try {
    database.exec(statement);
    return true;
  } catch (error) {
    // Also with what it is busy with: SQLITE_BUSY_RECOVERY.
    if (mayWait && (error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}
