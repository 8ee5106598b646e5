import { invalidRequest, missing, unexpectedState, type StripeError } from '../errors.js';
import type { Records } from '../records.js';
import type { PaymentIntent } from '../resources.js';

export function findIntent(records: Records, id: string): PaymentIntent {
  const intent = records.find('payment_intent', id);
  if (intent) return intent;
  throw missing('payment_intent', id, 'intent', 404);
}

/** "You cannot … because it has a status of …": everything that a PaymentIntent's status forbids. */
export function requireStatus(
  intent: PaymentIntent,
  allowed: readonly PaymentIntent['status'][],
  cannot: (status: string, allowed: string) => string,
): void {
  if (allowed.includes(intent.status)) return;
  throw unexpectedState(cannot(intent.status, allowed.join(', ')), intent);
}

const noMethod =
  "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the " +
  'PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method ' +
  'or ConfirmationToken.';

export function missingMethod(intent?: PaymentIntent): StripeError {
  if (intent) return unexpectedState(noMethod, intent);
  return invalidRequest(noMethod, { code: 'payment_intent_unexpected_state' });
}

/**
 * Without `payment_method_types` a PaymentIntent takes what is switched on in the Dashboard, and some of that sends
 * the customer elsewhere, so that Stripe wants to know the way back.
 */
export function missingReturnUrl(): StripeError {
  return invalidRequest(
    'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these ' +
      'payment methods might redirect your customer off of your page, you must provide a `return_url`. If you ' +
      "don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and " +
      '`automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.',
  );
}
