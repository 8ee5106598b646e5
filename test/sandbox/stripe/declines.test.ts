import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { charge, errorOf, startRig } from './rig.js';

const declined = 'Your card was declined.';

test.each([
  ['pm_card_chargeDeclined', 'card_declined', 'generic_decline', declined],
  ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline', declined],
  [
    'pm_card_chargeDeclinedInsufficientFunds',
    'card_declined',
    'insufficient_funds',
    'Your card has insufficient funds.',
  ],
  [
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    'card_declined',
    'insufficient_funds',
    'Your card has insufficient funds.',
  ],
  ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card', declined],
  ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card', declined],
  ['pm_card_chargeDeclinedFraudulent', 'card_declined', 'fraudulent', declined],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card', 'Your card has expired.'],
  ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."],
  [
    'pm_card_chargeDeclinedProcessingError',
    'processing_error',
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
  ],
  [
    'pm_card_visa_chargeDeclinedVelocityLimitExceeded',
    'card_declined',
    'card_velocity_exceeded',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ],
  ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline', declined],
])('%s: %s / %s', async (payment_method, code, decline_code, message) => {
  const { stripe, service } = await startRig();
  const error = await errorOf(stripe.paymentIntents.create({ ...charge, payment_method }));
  expect(error).toMatchObject({ statusCode: 402, type: 'StripeCardError', code, decline_code, message });
  expect(error.doc_url).toBe(`https://stripe.com/docs/error-codes/${code.replace('_', '-')}`);
  expect(service.effects().charges).toMatchObject([{ status: 'requires_payment_method', amount: 2500 }]);
});

test('the PaymentIntent of a decline exists, is inside the error, is listed, and has a failed charge', async () => {
  const { stripe, service } = await startRig();
  const error = await errorOf(stripe.paymentIntents.create({ ...charge, payment_method: 'pm_card_chargeDeclined' }));
  const inside = error.payment_intent as Stripe.PaymentIntent;
  expect(inside).toMatchObject({
    status: 'requires_payment_method',
    payment_method: null,
    amount_received: 0,
    latest_charge: error.charge,
    last_payment_error: { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline' },
  });
  expect(inside.last_payment_error).not.toHaveProperty('payment_intent');
  expect(error.payment_method).toMatchObject({ object: 'payment_method', card: { last4: '0002' } });
  expect(error).toMatchObject({ advice_code: 'try_again_later', network_decline_code: '05' });

  const { data } = await stripe.paymentIntents.list({ expand: ['data.latest_charge'] });
  expect(data).toMatchObject([{ id: inside.id, latest_charge: { id: error.charge, status: 'failed', paid: false } }]);
  const failed = await stripe.charges.retrieve(error.charge ?? '');
  expect(failed).toMatchObject({
    captured: false,
    amount_captured: 0,
    failure_code: 'card_declined',
    failure_message: declined,
    outcome: { type: 'issuer_declined', network_status: 'declined_by_network' },
  });
  expect(service.effects().charges).toMatchObject([{ charge: error.charge, amount_refunded: 0 }]);
});

test('a declined PaymentIntent takes another card', async () => {
  const { stripe, service } = await startRig();
  const error = await errorOf(stripe.paymentIntents.create({ ...charge, payment_method: 'pm_card_chargeDeclined' }));
  const { id } = error.payment_intent as Stripe.PaymentIntent;
  const paid = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_mastercard' });
  expect(paid).toMatchObject({ status: 'succeeded', amount_received: 2500, last_payment_error: null });
  expect(service.effects().charges).toMatchObject([{ id, status: 'succeeded', charge: paid.latest_charge }]);
  const charges = await stripe.charges.list({ payment_intent: id });
  expect(charges.data.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
});

test.each(['pm_card_radarBlock', 'pm_card_riskLevelHighest'])(
  '%s: blocked before it reaches the network',
  async (card) => {
    const { stripe } = await startRig();
    const error = await errorOf(stripe.paymentIntents.create({ ...charge, payment_method: card }));
    expect(error).toMatchObject({ statusCode: 402, code: 'card_declined' });
    expect(error).not.toHaveProperty('raw.network_decline_code');
    expect((await stripe.charges.retrieve(error.charge ?? '')).outcome).toMatchObject({
      type: 'blocked',
      network_status: 'not_sent_to_network',
      reason: 'highest_risk_level',
      risk_level: 'highest',
      seller_message: 'Stripe blocked this payment as too risky.',
    });
  },
);

const threeDSecure = [
  'pm_card_authenticationRequired',
  'pm_card_authenticationRequiredOnSetup',
  'pm_card_threeDSecure2Required',
  'pm_card_threeDSecureRequiredChargeDeclined',
];

test.each(threeDSecure)('%s wants the customer: 200, requires_action, not paid', async (payment_method) => {
  const { stripe, service } = await startRig();
  const intent = await stripe.paymentIntents.create({ ...charge, payment_method });
  expect(intent).toMatchObject({ status: 'requires_action', amount_received: 0, latest_charge: null });
  expect(intent.next_action?.type).toBe('use_stripe_sdk');
  expect(service.effects().charges).toMatchObject([{ status: 'requires_action', charge: null }]);
});

test.each(threeDSecure)('%s with error_on_requires_action: 402, no charge', async (payment_method) => {
  const { stripe } = await startRig();
  const error = await errorOf(
    stripe.paymentIntents.create({ ...charge, payment_method, error_on_requires_action: true }),
  );
  expect(error).toMatchObject({ statusCode: 402, decline_code: 'authentication_not_handled' });
  expect(error.message).toContain('`error_on_requires_action` was set');
  expect(error.payment_intent).toMatchObject({ status: 'requires_payment_method', latest_charge: null });
});

test('with a return_url the customer is sent to a page, off session nobody is', async () => {
  const { stripe } = await startRig();
  const payment_method = 'pm_card_authenticationRequired';
  const there = await stripe.paymentIntents.create({ ...charge, payment_method, return_url: 'https://example.com/r' });
  expect(there.next_action).toMatchObject({
    type: 'redirect_to_url',
    redirect_to_url: { return_url: 'https://example.com/r' },
  });
  const absent = await errorOf(stripe.paymentIntents.create({ ...charge, payment_method, off_session: true }));
  expect(absent).toMatchObject({ statusCode: 402, code: 'authentication_required' });
});

test.each([
  'pm_card_visa',
  'pm_card_mastercard',
  'pm_card_amex',
  'pm_card_discover',
  'pm_card_jcb',
  'pm_card_unionpay',
  'pm_card_bypassPending',
  'pm_card_threeDSecureOptional',
])('%s succeeds', async (payment_method) => {
  const { stripe } = await startRig();
  const intent = await stripe.paymentIntents.create({ ...charge, payment_method, error_on_requires_action: true });
  expect(intent.status).toBe('succeeded');
  expect(intent.payment_method).toMatch(/^pm_1/);
});

test.each([
  ['pm_card_cvcCheckFail', { cvc_check: 'fail' }],
  ['pm_card_avsFail', { address_line1_check: 'fail', address_postal_code_check: 'fail' }],
  ['pm_card_avsLine1Fail', { address_line1_check: 'fail', address_postal_code_check: 'pass' }],
  ['pm_card_avsZipFail', { address_line1_check: 'pass', address_postal_code_check: 'fail' }],
  ['pm_card_avsUnchecked', { address_line1_check: 'unavailable', address_postal_code_check: 'unavailable' }],
])('%s is charged, and the checks say what they found', async (payment_method, checks) => {
  const { stripe } = await startRig();
  const expand = ['payment_method', 'latest_charge'];
  const paid = await stripe.paymentIntents.create({ ...charge, payment_method, expand });
  expect(paid).toMatchObject({
    ...{ status: 'succeeded', payment_method: { card: { checks } } },
    latest_charge: { payment_method_details: { card: { checks } } },
  });
});

test('a dispute stands in the way of a refund, an inquiry does not', async () => {
  const { stripe } = await startRig();
  const pay = (payment_method: string) => stripe.paymentIntents.create({ ...charge, payment_method });
  const disputed = await pay('pm_card_createDisputeProductNotReceived');
  expect(await errorOf(stripe.refunds.create({ payment_intent: disputed.id }))).toMatchObject({
    code: 'charge_disputed',
  });
  const asked = await pay('pm_card_createDisputeInquiry');
  expect((await stripe.refunds.create({ payment_intent: asked.id })).status).toBe('succeeded');
});
