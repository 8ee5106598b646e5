import type { SandboxDatabase } from '../../database.js';
import type { Origin, Records } from '../records.js';
import type { Refund } from '../resources.js';

/**
 * How long the refund of a test card that does not settle at once takes, by the sandbox's clock. Stripe does not say;
 * this is long enough for a client to see the refund pending and short enough for a person to wait.
 */
export const settlesAfterMs = 5000;

interface DueRow {
  account: string;
  key: string | null;
  due_ms: number;
  json: string;
}

/**
 * Lets what has been due happen: a pending refund succeeds (card …7726), one that had succeeded fails and gives the
 * money back to the account (…5126, https://docs.stripe.com/testing#refunds). Done before anything reads, in place
 * of a timer that a restart or a jump of the clock would lose.
 */
export function createSettlement(
  database: SandboxDatabase,
  recordsOf: (origin: Origin) => Records,
): (now: number) => void {
  const due = database.prepare(
    'SELECT account, key, due_ms, json FROM stripe_objects WHERE due_ms IS NOT NULL AND due_ms <= ? ORDER BY due_ms',
  );
  return (now) => {
    for (const { account, key, due_ms, json } of due.all(now) as DueRow[]) {
      const records = recordsOf({ account, key, now: due_ms });
      const refund = JSON.parse(json) as Refund;
      if (refund.status === 'pending') {
        records.replace({ ...refund, status: 'succeeded' });
        continue;
      }
      records.replace({ ...refund, status: 'failed', failure_reason: 'expired_or_canceled_card' });
      const charge = records.find('charge', refund.charge);
      if (!charge) continue;
      records.replace({ ...charge, amount_refunded: charge.amount_refunded - refund.amount, refunded: false });
    }
  };
}
