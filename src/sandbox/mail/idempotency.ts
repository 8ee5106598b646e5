import type { SandboxDatabase } from '../database.js';

/** "Resend checks whether an email with the same idempotency key has already been sent in the last 24 hours." */
const keyLifetimeMs = 24 * 60 * 60 * 1000;

/** https://resend.com/docs/dashboard/emails/idempotency-keys */
const maxKeyLength = 256;

/** `account` and `key` are whose key it is; `fingerprint` is what the key was first used for. */
export interface KeyUse {
  account: string;
  key: string;
  fingerprint: string;
}

export interface Outcome {
  status: number;
  body: string;
}

export interface MailKeys {
  /** What happened to this key before: nothing, something else, still happening, or this outcome. */
  find(use: KeyUse, now: number): 'unused' | 'mismatch' | 'in flight' | Outcome;
  /** Holds the key while `work` runs. */
  hold<T>(use: KeyUse, work: () => Promise<T>): Promise<T>;
  /** Inside the transaction of the effect: an effect without its saved outcome would happen again. */
  save(use: KeyUse, outcome: Outcome, now: number): void;
  reset(): void;
}

export const isValidKey = (key: string): boolean => key.length >= 1 && key.length <= maxKeyLength;

export function createMailKeys(database: SandboxDatabase, neverPrune: () => boolean): MailKeys {
  database.exec(`CREATE TABLE IF NOT EXISTS mail_keys (
    account TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
    saved_ms INTEGER NOT NULL, PRIMARY KEY (account, key))`);
  const select = database.prepare(
    'SELECT fingerprint, status, body FROM mail_keys WHERE account = ? AND key = ? AND saved_ms > ?',
  );
  const insert = database.prepare('INSERT OR REPLACE INTO mail_keys VALUES (?, ?, ?, ?, ?, ?)');
  // In memory: what was in flight when the process died is not in flight any more.
  const inFlight = new Map<string, KeyUse>();
  const nameOf = ({ account, key }: KeyUse): string => `${account} ${key}`;

  return {
    find(use, now) {
      if (inFlight.has(nameOf(use))) return 'in flight';
      const oldest = neverPrune() ? 0 : now - keyLifetimeMs;
      const [row] = select.all(use.account, use.key, oldest) as (Outcome & { fingerprint: string })[];
      if (!row) return 'unused';
      return row.fingerprint === use.fingerprint ? { status: row.status, body: row.body } : 'mismatch';
    },
    async hold(use, work) {
      inFlight.set(nameOf(use), use);
      try {
        return await work();
      } finally {
        // After a reset the key may be another request's by now.
        if (inFlight.get(nameOf(use)) === use) inFlight.delete(nameOf(use));
      }
    },
    save: ({ account, key, fingerprint }, { status, body }, now) =>
      void insert.run(account, key, fingerprint, status, body, now),
    reset: () => {
      database.exec('DELETE FROM mail_keys');
      inFlight.clear();
    },
  };
}
