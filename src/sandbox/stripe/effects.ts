import type { SandboxDatabase } from '../database.js';
import type { PaymentIntent, Refund } from './resources.js';

interface ChargeEffect {
  id: string;
  charge: string | null;
  key: string | null;
  amount: number;
  amount_refunded: number;
  currency: string;
  status: string;
  metadata: Record<string, string>;
  at: string;
}

interface RefundEffect {
  id: string;
  payment_intent: string;
  key: string | null;
  amount: number;
  status: string;
  at: string;
}

export interface StripeEffects {
  charges: ChargeEffect[];
  refunds: RefundEffect[];
}

interface Row {
  json: string;
  key: string | null;
  made_ms: number;
}

const instant = (row: Row): string => new Date(row.made_ms).toISOString();

export interface StripeTruth {
  /** Oldest first: what was made in all accounts, and the idempotency key of the request that made it. */
  effects(): StripeEffects;
  /** Keys of an account under which money was moved more than once. */
  repeatedKeys(): string[];
}

export function createTruth(database: SandboxDatabase): StripeTruth {
  const intents = database.prepare(`
    SELECT intent.json, intent.key, intent.made_ms, json_extract(charge.json, '$.amount_refunded') AS amount_refunded
    FROM stripe_objects AS intent
    LEFT JOIN stripe_objects AS charge ON charge.id = json_extract(intent.json, '$.latest_charge')
    WHERE intent.type = 'payment_intent' ORDER BY intent.sequence`);
  const refunds = database.prepare(
    "SELECT json, key, made_ms FROM stripe_objects WHERE type = 'refund' ORDER BY sequence",
  );
  const repeated = database.prepare(`
    SELECT DISTINCT key FROM stripe_objects WHERE key IS NOT NULL
      AND (type = 'payment_intent' AND json_extract(json, '$.status') = 'succeeded'
        OR type = 'refund' AND json_extract(json, '$.status') NOT IN ('failed', 'canceled'))
    GROUP BY account, key HAVING count(*) > 1`);

  const chargeEffect = (row: Row & { amount_refunded: number | null }): ChargeEffect => {
    const { id, latest_charge: charge, amount, currency, status, metadata } = JSON.parse(row.json) as PaymentIntent;
    const amount_refunded = row.amount_refunded ?? 0;
    return { id, charge, key: row.key, amount, amount_refunded, currency, status, metadata, at: instant(row) };
  };
  const refundEffect = (row: Row): RefundEffect => {
    const { id, payment_intent, amount, status } = JSON.parse(row.json) as Refund;
    return { id, payment_intent, key: row.key, amount, status, at: instant(row) };
  };
  return {
    effects: () => ({
      charges: (intents.all() as Parameters<typeof chargeEffect>[0][]).map(chargeEffect),
      refunds: (refunds.all() as Row[]).map(refundEffect),
    }),
    repeatedKeys: () => (repeated.all() as { key: string }[]).map(({ key }) => key),
  };
}
