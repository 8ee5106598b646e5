import type { SandboxClock } from '../clock.js';
import type { SandboxDatabase } from '../database.js';
import type { ServiceAnswer } from '../service.js';
import type { FaultName } from './fault-names.js';
import type { ServiceName } from './fault-rule.js';

/** Longer than any that is read. */
const longestBody = 2 ** 31 - 1;

/** One HTTP request as the outside world received it. Headers are not kept: they carry the caller's secret. */
export interface RequestEntry {
  service: ServiceName;
  method: string;
  path: string;
  key: string | null;
  body: string;
  /**
   * `none`: the service was never reached, was killed before it had committed anything, or is a real provider upstream
   * whose answer did not come.
   */
  answer: ServiceAnswer | 'none';
  /** What was put on the wire, or null when nothing was. */
  status: number | null;
  fault: FaultName | null;
  at: string;
}

export type Received = Pick<RequestEntry, 'service' | 'method' | 'path' | 'key' | 'fault'> & { body: Buffer };

export interface RequestLog {
  /** How many requests with this key (or, without one, to this method and path) there have been. */
  count(request: Omit<Received, 'body' | 'fault'>): number;
  receive(request: Received): number;
  /** False if the entry is there no more: the sandbox was reset. */
  answered(entry: number, answer: ServiceAnswer): boolean;
  sent(entry: number, status: number): void;
  /** Oldest first, each body up to so many bytes. */
  list(bodyLimit?: number): RequestEntry[];
  reset(): void;
}

/**
 * The log stays true when the process is killed at any moment, because each fact is written before it can be seen:
 * the entry (answer `none`) before the service is asked, `executed` in the transaction of the effect itself, the status
 * before the first byte goes out. The methods are bare statements; the caller decides on the transaction.
 */
export function createRequestLog(database: SandboxDatabase, clock: SandboxClock): RequestLog {
  // AUTOINCREMENT: an answer that comes after a reset must not be written to a newer request with the same number.
  // The body is a BLOB because the driver cuts text at its first NUL.
  database.exec(`
    CREATE TABLE IF NOT EXISTS requests (
      id INTEGER PRIMARY KEY AUTOINCREMENT, service TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, key TEXT,
      body BLOB NOT NULL, answer TEXT NOT NULL DEFAULT 'none', status INTEGER, fault TEXT, at TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS requests_by_key ON requests (service, key, method, path)`);
  const insert = database.prepare(
    'INSERT INTO requests (service, method, path, key, body, fault, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const countKey = database.prepare('SELECT count(*) AS n FROM requests WHERE service = ? AND key = ?');
  const countKeyless = database.prepare(
    'SELECT count(*) AS n FROM requests WHERE service = ? AND key IS NULL AND method = ? AND path = ?',
  );
  const setAnswer = database.prepare('UPDATE requests SET answer = ? WHERE id = ?');
  const setStatus = database.prepare('UPDATE requests SET status = ? WHERE id = ?');
  const select = database.prepare(
    'SELECT service, method, path, key, substr(body, 1, ?) AS body, answer, status, fault, at FROM requests ORDER BY id',
  );

  return {
    count({ service, method, path, key }) {
      const row = key === null ? countKeyless.get(service, method, path) : countKey.get(service, key);
      return (row as { n: number }).n;
    },
    receive({ service, method, path, key, body, fault }) {
      const at = new Date(clock.now()).toISOString();
      return Number(insert.run(service, method, path, key, body, fault, at).lastInsertRowid);
    },
    answered: (entry, answer) => setAnswer.run(answer, entry).changes > 0,
    sent: (entry, status) => void setStatus.run(status, entry),
    list: (bodyLimit = longestBody) =>
      (select.all(bodyLimit) as (Omit<RequestEntry, 'body'> & { body: ArrayBuffer | null })[]).map((row) => ({
        ...row,
        // Of an empty BLOB, SQLite's substr is NULL.
        body: row.body === null ? '' : Buffer.from(row.body).toString('utf8'),
      })),
    reset: () => database.exec('DELETE FROM requests'),
  };
}
