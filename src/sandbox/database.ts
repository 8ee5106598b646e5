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

/**
 * Opens the sandbox's state: one SQLite file, made with its folder if need be (`:memory:` for a test that never restarts).
 *
 * `synchronous = FULL` because the sandbox must be as honest as the provider it stands in for: what it answered
 * must still be true after a power cut, not only after a killed process.
 */
export function openDatabase(file: string): SandboxDatabase {
  try {
    if (file !== inMemory) mkdirSync(dirname(file), { recursive: true });
    const database = new Database(file);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    database.exec(`PRAGMA wal_autocheckpoint = ${pagesPerCheckpoint}`);
    return database;
  } catch (error) {
    throw new Error(`Cannot open the database ${file}: ${(error as Error).message}`, { cause: error });
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
