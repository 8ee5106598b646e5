import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';

export type SandboxDatabase = Database.Database;

/**
 * Moving the log of changes into the database costs two fsyncs and a write for every page. SQLite does it after 1000 pages,
 * which is 40 charges; at 16 MB it is a fifth less of all work.
 */
const pagesPerCheckpoint = 4000;

export const inMemory = ':memory:';

/** "SAN1", in SQLite's `application_id`: the file is a sandbox's, with these tables. To be changed with them. */
const applicationId = 0x53_41_4e_31;

/** A sandbox that is being ended may need a moment to let go of its file. */
const patienceMs = 2_000;

/**
 * Opens the sandbox's state: one SQLite file, made with its folder if need be (`:memory:` for a test that never restarts).
 * Throws if the file is something else, or another sandbox's at the moment: two would not see each other's keys in flight.
 *
 * `synchronous = FULL` because the sandbox must be as honest as the provider it stands in for: what it answered
 * must still be true after a power cut, not only after a killed process.
 */
export function openDatabase(file: string): SandboxDatabase {
  try {
    if (file !== inMemory) mkdirSync(dirname(file), { recursive: true });
    const database = new Database(file, { timeout: patienceMs });
    try {
      prepare(database);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const reason = code === 'SQLITE_BUSY' ? 'another program is using it' : message;
    throw new Error(`Cannot open the database ${file}: ${reason}`, { cause: error });
  }
}

function prepare(database: SandboxDatabase): void {
  refuseForeign(database);
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  database.exec(`PRAGMA wal_autocheckpoint = ${pagesPerCheckpoint}`);
  database.exec(`PRAGMA application_id = ${applicationId}`);
}

function refuseForeign(database: SandboxDatabase): void {
  const [row] = database
    .prepare('SELECT application_id AS id, (SELECT count(*) FROM sqlite_master) AS objects FROM pragma_application_id')
    .all() as { id: number; objects: number }[];
  if (row && row.objects > 0 && row.id !== applicationId) {
    throw new Error('it is not the state of a sandbox of this version; remove it, or name another file');
  }
}

/** All of it in the one file again, and free for the next. */
export function closeDatabase(database: SandboxDatabase): void {
  if (!database.open) return;
  try {
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec('PRAGMA locking_mode = NORMAL');
    // A lock is let go at the next access after that.
    database.exec('SELECT count(*) FROM sqlite_master');
  } finally {
    database.close();
  }
}

/** One transaction that survives a killed process but not a power cut: it reaches the disk with the next one that does. */
export function withoutSync<T>(database: SandboxDatabase, work: () => T): T {
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return database.transaction(work).immediate();
  } finally {
    database.exec('PRAGMA synchronous = FULL');
  }
}
