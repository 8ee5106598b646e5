import { seconds } from '../endpoint.js';
import { newId } from '../ids.js';
import { noBillingDetails } from '../payment-methods/find.js';
import type { Charge, PaymentIntent, PaymentMethod } from '../resources.js';
import { checksOf, type Decline, type TestCard } from '../payment-methods/test-cards.js';

/** One attempt to take the money of a PaymentIntent, whatever came of it: a declined one leaves a failed charge. */
export function newCharge(
  intent: PaymentIntent,
  method: PaymentMethod,
  card: TestCard,
  now: number,
  decline?: Decline,
): Charge {
  const captured = !decline && intent.capture_method !== 'manual';
  return {
    id: newId.charge(),
    object: 'charge',
    amount: intent.amount,
    amount_captured: captured ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    // With asynchronous capture, the default, Stripe fills this in later.
    balance_transaction: null,
    billing_details: noBillingDetails(),
    calculated_statement_descriptor: null,
    captured,
    created: seconds(now),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: card.disputed === true && !decline,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: paymentMethodDetails(intent.amount, card, method),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    refunds: null,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: intent.transfer_group,
  };
}

const noAdvice = { advice_code: null, network_advice_code: null, network_decline_code: null } as const;

function outcomeOf(decline?: Decline): Charge['outcome'] {
  if (!decline) {
    const seller_message = 'Payment complete.';
    const network_status = 'approved_by_network';
    return { ...noAdvice, network_status, reason: null, risk_level: 'normal', seller_message, type: 'authorized' };
  }
  if (decline.blocked) {
    return {
      ...noAdvice,
      network_status: 'not_sent_to_network',
      reason: 'highest_risk_level',
      risk_level: 'highest',
      seller_message: 'Stripe blocked this payment as too risky.',
      type: 'blocked',
    };
  }
  return {
    advice_code: decline.advice_code,
    network_advice_code: null,
    network_decline_code: decline.network_decline_code ?? null,
    network_status: 'declined_by_network',
    reason: decline.decline_code,
    risk_level: 'normal',
    seller_message: 'The bank returned the decline code `' + decline.decline_code + '`.',
    type: 'issuer_declined',
  };
}

function paymentMethodDetails(amount: number, card: TestCard, method: PaymentMethod): Charge['payment_method_details'] {
  const { brand, last4 } = card;
  return {
    card: {
      amount_authorized: amount,
      authorization_code: null,
      brand,
      checks: checksOf(card),
      country: 'US',
      exp_month: method.card?.exp_month ?? 0,
      exp_year: method.card?.exp_year ?? 0,
      extended_authorization: { status: 'disabled' },
      fingerprint: method.card?.fingerprint ?? null,
      funding: 'credit',
      incremental_authorization: { status: 'unavailable' },
      installments: null,
      last4,
      mandate: null,
      multicapture: { status: 'unavailable' },
      network: brand,
      network_token: { used: false },
      network_transaction_id: null,
      overcapture: { maximum_amount_capturable: amount, status: 'unavailable' },
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
    type: 'card',
    // Not all of the client's type: `electronic_commerce_indicator` is younger than `defaultVersion`.
  } as Charge['payment_method_details'];
}
