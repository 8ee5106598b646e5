import type { PaymentIntent } from '../resources.js';

/**
 * Where a customer would authenticate (3-D Secure). Nobody can here: the page does not exist, and the PaymentIntent
 * stays in `requires_action` until it is confirmed with another card or canceled.
 */
export function nextAction(
  intent: PaymentIntent,
  returnUrl: string | undefined,
  account: string,
): PaymentIntent['next_action'] {
  if (returnUrl === undefined) return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } };
  const url = `https://hooks.stripe.com/3d_secure_2/hosted?merchant=${account}&payment_intent=${intent.id}`;
  return { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } };
}
