import type Stripe from 'stripe';
import { formatAmount } from '../plan/money.js';
import type { LookupChargeResult } from '../plan/results.js';
import type { Answer } from './answer.js';
import { notStripesWord, stripeAnswer } from './stripe-reply.js';

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
  if ((intent.object as string) !== 'payment_intent') return notStripesWord('a PaymentIntent');
  const { id, status, amount, currency, latest_charge: charge } = intent;
  const refunded = typeof charge === 'object' && charge !== null ? charge.amount_refunded : 0;
  return {
    kind: 'succeeded',
    reference: id,
    replayed: false,
    result: {
      ...{ id, status, amount, amount_formatted: formatAmount(amount, currency) },
      ...{ amount_refunded: refunded, amount_refunded_formatted: formatAmount(refunded, currency), currency },
    },
  };
}
