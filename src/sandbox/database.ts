import Database from 'libsql';

export type SandboxDatabase = Database.Database;

/**
 * Opens the sandbox's state: one SQLite file (`:memory:` for a test that never restarts it).
 *
 * `synchronous = FULL` because the sandbox must be as honest as the provider it stands in for: what it answered
 * must still be true after a power cut, not only after a killed process.
 */
export function openDatabase(file: string): SandboxDatabase {
  const database = new Database(file);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  return database;
}
