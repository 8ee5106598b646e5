import { newCharge } from '../charges/new-charge.js';
import { StripeError, type ErrorFields } from '../errors.js';
import type { Call } from '../endpoint.js';
import type { UsableMethod } from '../payment-methods/find.js';
import type { Charge, PaymentIntent } from '../resources.js';
import { authenticationRequired, type Decline } from '../payment-methods/test-cards.js';
import { nextAction } from './next-action.js';

export interface Confirmation {
  error_on_requires_action?: boolean | undefined;
  off_session?: boolean | undefined;
  return_url?: string | undefined;
}

/** What an attempt to pay leads to; both the PaymentIntent and the charge stay, also when there is an error. */
export interface Attempt {
  intent: PaymentIntent;
  charge?: Charge;
  error?: StripeError;
}

/** https://docs.stripe.com/payments/paymentintents/lifecycle */
export function attempt(
  intent: PaymentIntent,
  usable: UsableMethod,
  how: Confirmation,
  { account, now }: Pick<Call<unknown>, 'account' | 'now'>,
): Attempt {
  const { method, card } = usable;
  if (card.authentication) {
    // An absent customer cannot authenticate, so the issuer's wish for it is a decline.
    if (how.off_session) return declined(intent, usable, authenticationRequired, now);
    if (how.error_on_requires_action) return unauthenticated(intent, usable);
    const next_action = nextAction(intent, how.return_url, account.id);
    return { intent: { ...intent, status: 'requires_action', payment_method: method.id, next_action } };
  }
  if (card.decline) return declined(intent, usable, card.decline, now);

  const charge = newCharge(intent, method, card, now);
  const manual = intent.capture_method === 'manual';
  return {
    charge,
    intent: {
      ...intent,
      status: manual ? 'requires_capture' : 'succeeded',
      amount_capturable: manual ? intent.amount : 0,
      amount_received: manual ? 0 : intent.amount,
      latest_charge: charge.id,
      payment_method: method.id,
      last_payment_error: null,
      next_action: null,
    },
  };
}

function declined(intent: PaymentIntent, { method, card }: UsableMethod, decline: Decline, now: number): Attempt {
  const charge = newCharge(intent, method, card, now, decline);
  const { code, decline_code, message, advice_code, network_decline_code } = decline;
  const failure: ErrorFields = {
    type: 'card_error',
    code,
    decline_code,
    message,
    advice_code,
    charge: charge.id,
    payment_method: method,
    ...(network_decline_code && { network_decline_code }),
  };
  return { ...failed(intent, failure, charge.id), charge };
}

/** The issuer was never asked for money, so there is no charge. */
function unauthenticated(intent: PaymentIntent, { method }: UsableMethod): Attempt {
  return failed(intent, {
    type: 'card_error',
    code: 'authentication_required',
    decline_code: 'authentication_not_handled',
    message:
      'This payment required an authentication action to complete, but `error_on_requires_action` was set. When ' +
      "you're ready, you can upgrade your integration to handle actions at " +
      'https://stripe.com/docs/payments/payment-intents/upgrade-to-handle-actions.',
    payment_method: method,
  });
}

function failed(intent: PaymentIntent, failure: ErrorFields, latestCharge = intent.latest_charge): Attempt {
  const last_payment_error = new StripeError(402, failure).body.error as PaymentIntent['last_payment_error'];
  const after: PaymentIntent = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: latestCharge,
    last_payment_error,
    next_action: null,
  };
  return { intent: after, error: new StripeError(402, { ...failure, payment_intent: after }) };
}
