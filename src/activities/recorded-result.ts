import type { ActionRecord } from '../ledger/action-record.js';
import { formatAmount } from '../plan/money.js';
import type { StepResult } from '../plan/results.js';

/**
 * The result that a step's activity would have returned, made from its recorded request and the reference that a person
 * found at the provider. `records` are all of the plan's: a refund's currency is that of its charge.
 */
export function recordedResult(record: ActionRecord, reference: string, records: readonly ActionRecord[]): StepResult {
  if (record.tool === 'email') return { id: reference, status: 'sent' };
  const { amount, currency, payment_intent: charge } = params(record);
  if (charge === undefined) return { id: reference, status: 'succeeded', ...money(amount ?? 0, currency ?? '') };
  const of = records.find((other) => other.tool === 'charge' && other.reference === charge);
  const charged = of ? params(of) : {};
  // A refund without amount gave back all that was left.
  const given = amount ?? (charged.amount ?? 0) - refunded(records, charge, record.key);
  return { id: reference, status: 'succeeded', ...money(given, charged.currency ?? ''), charge };
}

interface StripeParams {
  amount?: number;
  currency?: string;
  payment_intent?: string;
}

const params = ({ request }: ActionRecord): StripeParams => (JSON.parse(request) as { params: StripeParams }).params;

/** What other refunds of the plan gave back of this charge. */
function refunded(records: readonly ActionRecord[], charge: string, exceptKey: string): number {
  const others = records.filter(({ key, result, state }) => key !== exceptKey && state === 'succeeded' && result);
  const results = others.map(({ result }) => JSON.parse(result ?? '{}') as { charge?: string; amount?: number });
  return results.filter((given) => given.charge === charge).reduce((sum, { amount = 0 }) => sum + amount, 0);
}

const money = (amount: number, currency: string) => ({
  amount,
  amount_formatted: currency === '' ? String(amount) : formatAmount(amount, currency),
  currency,
});
