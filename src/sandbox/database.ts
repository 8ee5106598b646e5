import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';

export type SandboxDatabase = Database.Database;

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
    return database;
  } catch (error) {
    throw new Error(`Cannot open the database ${file}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * One transaction that survives a killed process but not a power cut: it reaches the disk with the next commit of an
 * effect. The gateway writes its log this way, because a second and third `fsync` for each request would halve what the
 * sandbox can take.
 */
export function withoutSync<T>(database: SandboxDatabase, work: () => T): T {
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return database.transaction(work)();
  } finally {
    database.exec('PRAGMA synchronous = FULL');
  }
}
