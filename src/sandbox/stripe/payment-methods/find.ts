import { seconds, type Call } from '../endpoint.js';
import { invalidRequest, missing } from '../errors.js';
import { newId } from '../ids.js';
import type { PaymentMethod } from '../resources.js';
import { cardWithFingerprint, checksOf, fingerprintOf, testCard, type TestCard } from './test-cards.js';

/** A card that is good until a while from now, whenever now is. */
const expiryMonth = 12;
const expiryYear = 2040;

export interface UsableMethod {
  method: PaymentMethod;
  card: TestCard;
  /** A test name such as `pm_card_visa` stands for a new PaymentMethod each time; it has yet to be stored. */
  isNew: boolean;
}

export function findPaymentMethod(call: Pick<Call<unknown>, 'records' | 'now'>, id: string): UsableMethod {
  const named = testCard(id);
  if (named) return { method: newPaymentMethod(named, call.now), card: named, isNew: true };
  const method = call.records.find('payment_method', id);
  const card = cardWithFingerprint(method?.card?.fingerprint ?? '');
  if (!method || !card) throw missing('PaymentMethod', id, 'payment_method', 400);
  // Nothing here can attach a card to a customer, so each is good for one payment.
  if (call.records.isUsed(id)) {
    throw invalidRequest(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a ' +
        'connected account without Customer attachment, or was detached from a Customer. It may not be used again. To ' +
        'use a PaymentMethod multiple times, you must attach it to a Customer first.',
    );
  }
  return { method, card, isNew: false };
}

function newPaymentMethod(card: TestCard, now: number): PaymentMethod {
  return {
    id: newId.payment_method(),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: noBillingDetails(),
    card: {
      brand: card.brand,
      checks: checksOf(card),
      country: 'US',
      display_brand: card.brand,
      exp_month: expiryMonth,
      exp_year: expiryYear,
      fingerprint: fingerprintOf(card),
      funding: 'credit',
      generated_from: null,
      last4: card.last4,
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: seconds(now),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
}

export function noBillingDetails(): PaymentMethod['billing_details'] {
  const address = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };
  return { address, email: null, name: null, phone: null, tax_id: null };
}
