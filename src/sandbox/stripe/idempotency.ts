import type { SandboxDatabase } from '../database.js';
import type { Commit } from '../group-commit.js';
import { keyInUse, keyOfWrongLength, otherEndpoint, otherParameters } from './idempotency-errors.js';

/**
 * Idempotency as Stripe's v1 API has it (https://docs.stripe.com/api/idempotent_requests).
 *
 *   prune ─▶ in use? ─▶ seen before? ─▶ validate ─▶ [ execute + save the answer ]  one transaction
 *             409        same: replay     400, not     whatever it is, a decline
 *                        other: 400       saved        and a 500 too
 *
 * The first request with a key that begins to execute decides: every later one gets its status and body, even when
 * the world has changed since. There is one key space per account, not per endpoint. What never began to execute
 * leaves the key free.
 */
export interface IdempotencyLayer {
  answer(request: KeyedRequest, begin: () => Work): Promise<KeyedAnswer>;
  reset(): void;
}

interface KeyedRequest {
  account: string;
  key: string;
  path: string;
  /** Fingerprint of the parsed parameters, `expand` included. */
  parameters: string;
  requestId: string;
}

/** What `begin` returns once the parameters are valid. */
export interface Work {
  /** The key is in use from now until this resolves and `execute` is done. */
  ready: Promise<void>;
  execute(): Answer;
}

export interface Answer {
  status: number;
  body: string;
}

interface KeyedAnswer extends Answer {
  replayed: boolean;
  originalRequest: string;
}

interface SavedRow {
  path: string;
  parameters: string;
  status: number;
  body: string;
  request_id: string;
}

/** "Keys can be pruned after they are at least 24 hours old"; a key used again after that starts a new request. */
const keyLifetimeMs = 24 * 60 * 60 * 1000;

const maxKeyLength = 255;

const schema = `
  CREATE TABLE IF NOT EXISTS stripe_keys (
    account TEXT, key TEXT, path TEXT, parameters TEXT, status INTEGER, body TEXT, request_id TEXT, first_used_ms INTEGER,
    PRIMARY KEY (account, key)
  );
  CREATE INDEX IF NOT EXISTS stripe_keys_age ON stripe_keys (first_used_ms);
`;

export function createIdempotencyLayer(
  database: SandboxDatabase,
  commit: Commit,
  now: () => number,
  neverPrune: () => boolean,
): IdempotencyLayer {
  database.exec(schema);
  const prune = database.prepare('DELETE FROM stripe_keys WHERE first_used_ms <= ?');
  const select = database.prepare('SELECT * FROM stripe_keys WHERE account = ? AND key = ?');
  const insert = database.prepare('INSERT INTO stripe_keys VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const executeAndSave = (request: KeyedRequest, work: Work): Answer => {
    const { account, key, path, parameters, requestId } = request;
    const answer = work.execute();
    insert.run(account, key, path, parameters, answer.status, answer.body, requestId, now());
    return answer;
  };

  // In memory on purpose: what is executing when the process dies was not committed, and its key must be free again.
  const inUse = new Map<string, Work>();

  return {
    async answer(request, begin) {
      const { account, key, path, parameters, requestId } = request;
      if (key.length < 1 || key.length > maxKeyLength) throw keyOfWrongLength(key);
      if (!neverPrune()) prune.run(now() - keyLifetimeMs);

      // Whatever the parameters are: Stripe does not compare them with those of a request that has not finished.
      const name = JSON.stringify([account, key]);
      if (inUse.has(name)) throw keyInUse(key);

      const [first] = select.all(account, key) as SavedRow[];
      if (first) {
        if (first.path !== path) throw otherEndpoint(key, path, first.path);
        if (first.parameters !== parameters) throw otherParameters(key);
        return { status: first.status, body: first.body, replayed: true, originalRequest: first.request_id };
      }

      const work = begin();
      inUse.set(name, work);
      try {
        await work.ready;
        const answer = await commit(() => executeAndSave(request, work));
        return { ...answer, replayed: false, originalRequest: requestId };
      } finally {
        // After a reset the key may be another request's by now.
        if (inUse.get(name) === work) inUse.delete(name);
      }
    },
    reset: () => {
      database.exec('DELETE FROM stripe_keys');
      inUse.clear();
    },
  };
}
