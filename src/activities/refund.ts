import Stripe from 'stripe';
import { formatAmount } from '../plan/money.js';
import type { StepOf } from '../plan/plan-schema.js';
import type { RefundResult } from '../plan/results.js';
import type { Answer } from './answer.js';
import type { Operation } from './once.js';
import { lookByListing, pageSize } from './stripe-look.js';
import { stripeMetadata, type StripeOperationDeps } from './stripe-operation.js';
import { notStripesWord, stripeAnswer } from './stripe-reply.js';
import { refundOfIntent } from './stripe-shapes.js';

interface RefundRequest {
  apiVersion: string;
  params: Stripe.RefundCreateParams;
}

/** What a refund is told by the workflow: the plan's arguments, and the PaymentIntent that its charge step made. */
export type RefundArgs = Omit<StepOf<'refund'>['args'], 'charge'> & { paymentIntent: string };

/** An undo gives back what is left, so it names no amount: Stripe knows, also after partial refunds. */
export function undoOperation(
  deps: StripeOperationDeps,
  paymentIntent: string,
): Operation<RefundRequest, RefundResult> {
  const refund = refundOperation(deps, { paymentIntent });
  return {
    ...refund,
    async ask(request, key) {
      const answer = await refund.ask(request, key);
      return answer.kind === 'refused' && answer.error.code === 'charge_already_refunded'
        ? nothingLeft(paymentIntent, answer.replayed)
        : answer;
    },
  };
}

/** All of it was given back before: there is nothing to undo, which is what an undo wants. */
function nothingLeft(paymentIntent: string, replayed: boolean): Answer<RefundResult> {
  const nothing = { amount: 0, amount_formatted: '0', currency: '' };
  const result: RefundResult = { id: '', status: 'succeeded', ...nothing, charge: paymentIntent };
  return { kind: 'succeeded', reference: paymentIntent, replayed, result };
}

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
    look: ({ apiVersion, params }, key, created) =>
      lookByListing(
        stripe.refunds.list(
          {
            ...(params.payment_intent === undefined ? {} : { payment_intent: params.payment_intent }),
            created,
            limit: pageSize,
          },
          { apiVersion, timeout: requestTimeout },
        ),
        (found) =>
          found.metadata?.['plan_key'] === key && (params.amount === undefined || found.amount === params.amount),
        readRefund,
      ),
  };
}

function readRefund(refund: Stripe.Refund, replayed: boolean): Answer<RefundResult> {
  const shape = refundOfIntent.safeParse(refund);
  if (!shape.success) return notStripesWord('a refund of a PaymentIntent');
  const { id, amount, currency, payment_intent: charge } = shape.data;
  const { status } = refund;
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
