import { randomUUID } from 'node:crypto';
import type { SandboxDatabase } from '../database.js';
import type { Message } from './message.js';

/** A message that was accepted: the effect. `to` is as it was sent: a string, or an array of several. */
export interface Email {
  id: string;
  key: string | null;
  to: string | string[];
  subject: string;
  text: string | null;
  at: string;
}

export interface Outbox {
  send(account: string, message: Message, key: string | null, now: number): string;
  /** Only for the account that sent it: an id that leaked must not open somebody else's letter. */
  find(account: string, id: string): { message: Message; at: string } | undefined;
  list(): Email[];
  /** Keys under which an account sent more than one. */
  repeatedKeys(): string[];
  reset(): void;
}

interface Row {
  id: string;
  key: string | null;
  message: string;
  at: string;
}

export function createOutbox(database: SandboxDatabase): Outbox {
  database.exec(`CREATE TABLE IF NOT EXISTS emails (
    number INTEGER PRIMARY KEY, account TEXT NOT NULL, id TEXT NOT NULL UNIQUE, key TEXT, message TEXT NOT NULL,
    at TEXT NOT NULL)`);
  const insert = database.prepare('INSERT INTO emails (account, id, key, message, at) VALUES (?, ?, ?, ?, ?)');
  const selectOne = database.prepare('SELECT message, at FROM emails WHERE account = ? AND id = ?');
  const selectAll = database.prepare('SELECT id, key, message, at FROM emails ORDER BY number');
  const selectRepeated = database.prepare(
    'SELECT DISTINCT key FROM emails WHERE key IS NOT NULL GROUP BY account, key HAVING count(*) > 1',
  );
  return {
    send(account, message, key, now) {
      const id = randomUUID();
      insert.run(account, id, key, JSON.stringify(message), new Date(now).toISOString());
      return id;
    },
    find(account, id) {
      const [row] = selectOne.all(account, id) as Row[];
      return row && { message: JSON.parse(row.message) as Message, at: row.at };
    },
    list: () =>
      (selectAll.all() as Row[]).map(({ id, key, message, at }) => {
        const { to, subject, text } = JSON.parse(message) as Message;
        return { id, key, to, subject, text: text ?? null, at };
      }),
    repeatedKeys: () => (selectRepeated.all() as { key: string }[]).map(({ key }) => key),
    reset: () => database.exec('DELETE FROM emails'),
  };
}
