import Stripe from 'stripe';
import { formatAmount } from '../plan/money.js';
import type { StepOf } from '../plan/plan-schema.js';
import type { ChargeResult } from '../plan/results.js';
import type { Answer } from './answer.js';
import type { Operation } from './once.js';
import { notStripesWord, stripeAnswer } from './stripe-reply.js';
import { lookByListing, pageSize } from './stripe-look.js';
import { stripeMetadata, type StripeOperationDeps } from './stripe-operation.js';
import { testModeIntent } from './stripe-shapes.js';

interface ChargeRequest {
  /** Recorded, because another version may answer another body, and Stripe compares the version's defaults too. */
  apiVersion: string;
  params: Stripe.PaymentIntentCreateParams;
}

/** Creates and confirms a PaymentIntent in one request: one keyed write. */
export function chargeOperation(
  { stripe, account, requestTimeout, claim }: StripeOperationDeps,
  args: StepOf<'charge'>['args'],
): Operation<ChargeRequest, ChargeResult> {
  const { amount, currency, payment_method, description, metadata } = args;
  return {
    account,
    request: {
      apiVersion: Stripe.API_VERSION,
      params: {
        amount,
        currency,
        payment_method,
        // Only cards, so that no redirect needs a `return_url`. From version 2026-09-30.endive on Stripe refuses
        // `payment_method_types` here (docs.stripe.com/changelog/endive).
        allowed_payment_method_types: ['card'],
        confirm: true,
        // A card that wants its owner to authenticate is declined at once: no person sits before this payment.
        error_on_requires_action: true,
        ...(description === undefined ? {} : { description }),
        metadata: { ...metadata, ...stripeMetadata(claim) },
      },
    },
    ask: ({ apiVersion, params }, idempotencyKey) =>
      stripeAnswer(
        () => stripe.paymentIntents.create(params, { apiVersion, idempotencyKey, timeout: requestTimeout }),
        readPaymentIntent,
      ),
    follow: (reference, { apiVersion }) =>
      stripeAnswer(
        () => stripe.paymentIntents.retrieve(reference, {}, { apiVersion, timeout: requestTimeout }),
        readPaymentIntent,
      ),
    look: ({ apiVersion, params }, key, created) =>
      lookByListing(
        stripe.paymentIntents.list({ created, limit: pageSize }, { apiVersion, timeout: requestTimeout }),
        (intent) =>
          intent.metadata['plan_key'] === key && intent.amount === params.amount && intent.currency === params.currency,
        readPaymentIntent,
      ),
  };
}

function readPaymentIntent(intent: Stripe.PaymentIntent, replayed: boolean): Answer<ChargeResult> {
  if (!testModeIntent.safeParse(intent).success) return notStripesWord('a PaymentIntent in test mode');
  const { id, status, amount, currency } = intent;
  const error = { type: 'payment_intent', code: status, message: `PaymentIntent ${id} is ${status}` };
  switch (status) {
    case 'succeeded':
      return {
        kind: 'succeeded',
        reference: id,
        replayed,
        result: { id, status: 'succeeded', amount, amount_formatted: formatAmount(amount, currency), currency },
      };
    case 'processing':
      return { kind: 'not_final', reference: id, error };
    default:
      // Any other state is not paid, and nothing in this plan will make it so.
      return { kind: 'declined', replayed, error };
  }
}
