import type { SandboxDatabase } from '../../database.js';
import type { PaymentIntent } from '../resources.js';
import type { Predicate } from './query.js';

interface SearchHit {
  sequence: number;
  intent: PaymentIntent;
}

/** What the search index knows: PaymentIntents as they were some time ago, newest first. */
export type Search = (matches: Predicate) => SearchHit[];

/**
 * The index lags for new objects and for changed fields alike (https://docs.stripe.com/search: not for
 * read-after-write), so each PaymentIntent is judged, and shown, as it was one lag before now.
 */
export function createSearch(database: SandboxDatabase, lagMs: () => number): (account: string, now: number) => Search {
  const asOf = database.prepare(`
    SELECT sequence, CASE WHEN changed_ms <= ?1 THEN json ELSE (
      SELECT past.json FROM stripe_past AS past
      WHERE past.id = stripe_objects.id AND from_ms <= ?1 AND until_ms > ?1
    ) END AS json
    FROM stripe_objects
    WHERE account = ?2 AND type = 'payment_intent' AND made_ms <= ?1
    ORDER BY sequence DESC`);
  return (account, now) => (matches) => {
    const rows = asOf.all(now - lagMs(), account) as { sequence: number; json: string | null }[];
    return rows
      .flatMap(({ sequence, json }) => (json ? [{ sequence, intent: JSON.parse(json) as PaymentIntent }] : []))
      .filter(({ intent }) => matches(intent));
  };
}
