import type Stripe from 'stripe';
import { formatAmount } from '../plan/money.js';
import type { LookupChargeResult } from '../plan/results.js';
import type { Answer } from './answer.js';
import { notStripesWord, stripeAnswer } from './stripe-reply.js';
import { intentWithCharge } from './stripe-shapes.js';

/** A read: it needs no key and leaves no record, and it may be repeated freely. Never throws. */
export async function readCharge(
  stripe: Stripe,
  paymentIntent: string,
  requestTimeout: number,
): Promise<Answer<LookupChargeResult>> {
  return stripeAnswer(
    () => stripe.paymentIntents.retrieve(paymentIntent, { expand: ['latest_charge'] }, { timeout: requestTimeout }),
    readPaymentIntent,
  );
}

function readPaymentIntent(intent: Stripe.PaymentIntent): Answer<LookupChargeResult> {
  const shape = intentWithCharge.safeParse(intent);
  if (!shape.success) return notStripesWord('a PaymentIntent in test mode');
  const { id, status, amount, currency, latest_charge: charge } = shape.data;
  const amount_refunded = charge?.amount_refunded ?? 0;
  return {
    kind: 'succeeded',
    reference: id,
    replayed: false,
    result: {
      id,
      status,
      amount,
      amount_formatted: formatAmount(amount, currency),
      amount_refunded,
      amount_refunded_formatted: formatAmount(amount_refunded, currency),
      currency,
    },
  };
}
