import { checkStep, formatAmount } from '../amounts.js';
import { endpoint, seconds } from '../endpoint.js';
import { invalidRequest } from '../errors.js';
import { newId } from '../ids.js';
import { metadata, mergeMetadata } from '../metadata.js';
import { clearable, optional, unmodelled } from '../parameters.js';
import { oneOf, positiveInteger, text } from '../readers.js';
import type { Charge, Refund } from '../resources.js';
import { cardWithFingerprint } from '../payment-methods/test-cards.js';
import { findCharge } from './find-charge.js';
import { settlesAfterMs } from './settle.js';

export const createRefund = endpoint({
  method: 'POST',
  path: '/v1/refunds',
  resource: 'refund',
  parameters: {
    ...unmodelled('currency', 'customer', 'instructions_email', 'origin', 'refund_application_fee', 'reverse_transfer'),
    amount: optional(positiveInteger),
    charge: optional(text()),
    metadata: clearable(metadata),
    payment_intent: optional(text()),
    reason: optional(oneOf('duplicate', 'fraudulent', 'requested_by_customer')),
  },

  check({ charge, payment_intent }) {
    if (charge !== undefined || payment_intent !== undefined) return;
    throw invalidRequest('One of the following params should be provided for this request: payment_intent or charge.');
  },

  execute({ params, records, now }) {
    const charge = findCharge(records, params);
    const amount = refundable(charge, params.amount);
    const behaviour = cardWithFingerprint(charge.payment_method_details?.card?.fingerprint ?? '')?.refund;

    const refund: Refund = {
      id: newId.refund(),
      object: 'refund',
      amount,
      balance_transaction: null,
      charge: charge.id,
      created: seconds(now),
      currency: charge.currency,
      customer: charge.customer,
      customer_account: null,
      destination_details: { card: { type: 'refund' }, type: 'card' },
      metadata: mergeMetadata({}, params.metadata),
      payment_intent: charge.payment_intent ?? '',
      payment_method: charge.payment_method,
      reason: params.reason ?? null,
      receipt_number: null,
      source_transfer_reversal: null,
      status: behaviour === 'pending' ? 'pending' : 'succeeded',
      transfer_reversal: null,
    };
    records.insert(refund, behaviour && now + settlesAfterMs);
    const amount_refunded = charge.amount_refunded + amount;
    records.replace({ ...charge, amount_refunded, refunded: amount_refunded === charge.amount_captured });
    return refund;
  },
});

/** The amount to give back: what was asked for, or all that is left. */
function refundable(charge: Charge, asked: number | undefined): number {
  const left = charge.amount_captured - charge.amount_refunded;
  if (left <= 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  }
  const amount = asked ?? left;
  checkStep(amount, charge.currency, 'amount');
  if (amount <= left) return amount;
  const [tooMuch, rest] = [formatAmount(amount, charge.currency), formatAmount(left, charge.currency)];
  throw invalidRequest(`Refund amount (${tooMuch}) is greater than unrefunded amount on charge (${rest})`, {
    param: 'amount',
  });
}
