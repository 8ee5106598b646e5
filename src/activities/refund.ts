import Stripe from 'stripe';
import { formatAmount } from '../plan/money.js';
import type { StepOf } from '../plan/plan-schema.js';
import type { RefundResult } from '../plan/results.js';
import type { Answer } from './answer.js';
import type { Operation } from './once.js';
import { stripeMetadata, type StripeOperationDeps } from './stripe-operation.js';
import { notStripesWord, stripeAnswer } from './stripe-reply.js';

interface RefundRequest {
  apiVersion: string;
  params: Stripe.RefundCreateParams;
}

/** What a refund is told by the workflow: the plan's arguments, and the PaymentIntent that its charge step made. */
export type RefundArgs = Omit<StepOf<'refund'>['args'], 'charge'> & { paymentIntent: string };

export function refundOperation(
  { stripe, account, requestTimeout, claim }: StripeOperationDeps,
  { paymentIntent, amount, reason }: RefundArgs,
): Operation<RefundRequest, RefundResult> {
  return {
    account,
    request: {
      apiVersion: Stripe.API_VERSION,
      params: {
        payment_intent: paymentIntent,
        ...(amount === undefined ? {} : { amount }),
        ...(reason === undefined ? {} : { reason }),
        metadata: stripeMetadata(claim),
      },
    },
    ask: ({ apiVersion, params }, idempotencyKey) =>
      stripeAnswer(
        () => stripe.refunds.create(params, { apiVersion, idempotencyKey, timeout: requestTimeout }),
        readRefund,
      ),
    follow: (reference, { apiVersion }) =>
      stripeAnswer(() => stripe.refunds.retrieve(reference, {}, { apiVersion, timeout: requestTimeout }), readRefund),
  };
}

function readRefund(refund: Stripe.Refund, replayed: boolean): Answer<RefundResult> {
  const { id, status, amount, currency, payment_intent: charge } = refund;
  if ((refund.object as string) !== 'refund' || !id.startsWith('re_') || typeof charge !== 'string') {
    return notStripesWord('a refund');
  }
  const error = {
    type: 'refund',
    code: refund.failure_reason ?? status ?? 'no_status',
    message: `Refund ${id} is ${status ?? 'without status'}`,
  };
  switch (status) {
    case 'succeeded':
      return {
        kind: 'succeeded',
        reference: id,
        replayed,
        result: { id, status, amount, amount_formatted: formatAmount(amount, currency), currency, charge },
      };
    case 'failed':
    case 'canceled':
      return { kind: 'declined', replayed, error };
    default:
      return { kind: 'not_final', reference: id, error };
  }
}
