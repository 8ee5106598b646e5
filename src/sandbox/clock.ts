import type { SandboxDatabase } from './database.js';

/** The sandbox's time in ms since the epoch: the real time plus an offset that `POST /clock` advances. */
export interface SandboxClock {
  now(): number;
  advance(ms: number): void;
  reset(): void;
}

/** The offset is kept in the database: a sandbox that is killed and started again does not fall back in time. */
export function createClock(database: SandboxDatabase): SandboxClock {
  database.exec('CREATE TABLE IF NOT EXISTS clock (offset_ms INTEGER NOT NULL)');
  const stored = database.prepare('SELECT offset_ms FROM clock').get() as { offset_ms: number } | undefined;
  if (!stored) database.exec('INSERT INTO clock (offset_ms) VALUES (0)');
  let offset = stored?.offset_ms ?? 0;
  const save = (value: number): void => {
    database.prepare('UPDATE clock SET offset_ms = ?').run(value);
    offset = value;
  };
  return {
    now: () => Date.now() + offset,
    advance: (ms) => save(offset + ms),
    reset: () => save(0),
  };
}
