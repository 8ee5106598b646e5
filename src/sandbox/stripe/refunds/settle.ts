import type { Records } from '../records.js';
import type { Refund } from '../resources.js';

/**
 * How long the refund of a test card that does not settle at once takes, by the sandbox's clock. Stripe does not say;
 * this is long enough for a client to see the refund pending and short enough for a person to wait.
 */
export const settlesAfterMs = 5000;

/**
 * A pending refund succeeds (card …7726), one that had succeeded fails and gives the money back to the account (…5126,
 * https://docs.stripe.com/testing#refunds).
 */
export function settleRefund(refund: Refund, records: Records): void {
  if (refund.status === 'pending') {
    records.replace({ ...refund, status: 'succeeded' });
    return;
  }
  records.replace({ ...refund, status: 'failed', failure_reason: 'expired_or_canceled_card' });
  const charge = records.find('charge', refund.charge);
  if (!charge) return;
  records.replace({ ...charge, amount_refunded: charge.amount_refunded - refund.amount, refunded: false });
}
