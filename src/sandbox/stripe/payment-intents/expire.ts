import { seconds } from '../endpoint.js';
import type { Records } from '../records.js';
import type { Charge, PaymentIntent } from '../resources.js';

/** So long most cards hold what is paid online: https://docs.stripe.com/payments/place-a-hold-on-a-payment-method */
const authorizationLastsMs = 7 * 24 * 60 * 60 * 1000;

/** When the charge that comes of an attempt is due: a hold ends by itself, money that was taken stays. */
export function holdEnds(intent: PaymentIntent, now: number): number | undefined {
  return intent.status === 'requires_capture' ? now + authorizationLastsMs : undefined;
}

/** The reason has been called so since 2025-03-31.basil; before that it was `automatic`. */
export function expireHold(charge: Charge, records: Records, now: number): void {
  // Nothing changes in it; what is written again is no longer due.
  records.replace(charge);
  const intent = records.find('payment_intent', charge.payment_intent ?? '');
  if (intent?.status !== 'requires_capture') return;
  const canceled = { status: 'canceled', canceled_at: seconds(now), cancellation_reason: 'expired' } as const;
  records.replace({ ...intent, ...canceled, amount_capturable: 0 });
}
