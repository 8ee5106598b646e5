import type { SandboxDatabase } from '../database.js';
import type { Charge, PaymentIntent, Refund } from './resources.js';

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

/** The truth, oldest first: what was made in all accounts, and the idempotency key of the request that made it. */
export function createEffects(database: SandboxDatabase): () => StripeEffects {
  const made = database.prepare('SELECT json, key, made_ms FROM stripe_objects WHERE type = ? ORDER BY sequence');
  const chargeById = database.prepare("SELECT json FROM stripe_objects WHERE id = ? AND type = 'charge'");

  const chargeEffect = (row: Row): ChargeEffect => {
    const { id, latest_charge: charge, amount, currency, status, metadata } = JSON.parse(row.json) as PaymentIntent;
    const [latest] = (charge === null ? [] : chargeById.all(charge)) as { json: string }[];
    const amount_refunded = latest ? (JSON.parse(latest.json) as Charge).amount_refunded : 0;
    return { id, charge, key: row.key, amount, amount_refunded, currency, status, metadata, at: instant(row) };
  };
  const refundEffect = (row: Row): RefundEffect => {
    const { id, payment_intent, amount, status } = JSON.parse(row.json) as Refund;
    return { id, payment_intent, key: row.key, amount, status, at: instant(row) };
  };
  return () => ({
    charges: (made.all('payment_intent') as Row[]).map(chargeEffect),
    refunds: (made.all('refund') as Row[]).map(refundEffect),
  });
}
