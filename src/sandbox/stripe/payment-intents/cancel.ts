import { endpoint, seconds } from '../endpoint.js';
import { optional } from '../parameters.js';
import { oneOf } from '../readers.js';
import type { PaymentIntent } from '../resources.js';
import { findIntent, requireStatus } from './refusals.js';

export const cancelIntent = endpoint({
  method: 'POST',
  path: '/v1/payment_intents/{id}/cancel',
  resource: 'payment_intent',
  parameters: {
    cancellation_reason: optional(oneOf('abandoned', 'duplicate', 'fraudulent', 'requested_by_customer')),
  },

  execute({ id, params, records, now }) {
    const stored = findIntent(records, id);
    requireStatus(
      stored,
      ['requires_payment_method', 'requires_capture', 'requires_confirmation', 'requires_action', 'processing'],
      (status, allowed) =>
        `You cannot cancel this PaymentIntent because it has a status of ${status}. Only a PaymentIntent with one of ` +
        `the following statuses may be canceled: ${allowed}.`,
    );
    const intent: PaymentIntent = {
      ...stored,
      status: 'canceled',
      amount_capturable: 0,
      canceled_at: seconds(now),
      cancellation_reason: params.cancellation_reason ?? null,
      next_action: null,
    };
    // The charge of an authorization stays as it is: since 2025-03-31.basil giving up a hold is no refund.
    records.replace(intent);
    return intent;
  },
});
