import { expect, test } from 'vitest';
import { cardOnly, charge, errorOf, startRig } from './rig.js';

const create = { ...cardOnly, amount: 2500, currency: 'usd' };

test('a PaymentIntent step by step', async () => {
  const { stripe, service } = await startRig();
  const made = await stripe.paymentIntents.create(create);
  expect(made).toMatchObject({ status: 'requires_payment_method', livemode: false, capture_method: 'automatic_async' });
  expect(made.id).toMatch(/^pi_3\w{23}$/);
  expect(made.client_secret).toMatch(new RegExp(`^${made.id}_secret_\\w{25}$`));
  const withCard = await stripe.paymentIntents.update(made.id, { payment_method: 'pm_card_visa' });
  expect(withCard.status).toBe('requires_confirmation');
  const paid = await stripe.paymentIntents.confirm(made.id);
  expect(paid).toMatchObject({ status: 'succeeded', amount_received: 2500, payment_method: withCard.payment_method });
  expect(await stripe.paymentIntents.retrieve(made.id)).toMatchObject({ status: 'succeeded' });
  expect(service.effects().charges).toMatchObject([{ id: made.id, charge: paid.latest_charge, status: 'succeeded' }]);
});

test('with a card but unconfirmed nothing is taken', async () => {
  const { stripe, service } = await startRig();
  await stripe.paymentIntents.create({ ...create, payment_method: 'pm_card_visa' });
  expect(service.effects().charges).toMatchObject([{ status: 'requires_confirmation', charge: null }]);
});

test('authorize now, capture less later, refund no more than was captured', async () => {
  const { stripe } = await startRig();
  const held = await stripe.paymentIntents.create({ ...charge, capture_method: 'manual' });
  expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 2500, amount_received: 0 });
  const tooMuch = await errorOf(stripe.paymentIntents.capture(held.id, { amount_to_capture: 2501 }));
  expect(tooMuch).toMatchObject({ code: 'amount_too_large', param: 'amount_to_capture' });
  const taken = await stripe.paymentIntents.capture(held.id, { amount_to_capture: 2000 });
  expect(taken).toMatchObject({ status: 'succeeded', amount_capturable: 0, amount_received: 2000 });
  expect(await stripe.charges.retrieve(taken.latest_charge as string)).toMatchObject({
    captured: true,
    amount_captured: 2000,
  });
  expect((await stripe.refunds.create({ payment_intent: held.id })).amount).toBe(2000);
});

test('cancel, also of what was authorized: nothing was taken, so nothing is refunded', async () => {
  const { stripe, service } = await startRig();
  const open = await stripe.paymentIntents.create(create);
  const canceled = await stripe.paymentIntents.cancel(open.id, { cancellation_reason: 'abandoned' });
  expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
  expect(canceled.canceled_at).toBeGreaterThan(0);
  const held = await stripe.paymentIntents.create({ ...charge, capture_method: 'manual' });
  await stripe.paymentIntents.cancel(held.id);
  expect(service.effects().charges).toMatchObject([
    { status: 'canceled', amount_refunded: 0 },
    { status: 'canceled', amount_refunded: 0 },
  ]);
  expect(await stripe.charges.retrieve(held.latest_charge as string)).toMatchObject({
    ...{ captured: false, refunded: false, amount_refunded: 0 },
  });
});

test('an authorization that nobody captures ends after seven days, whatever was changed meanwhile', async () => {
  const { stripe, service, clock } = await startRig();
  const day = 24 * 60 * 60 * 1000;
  const hold = () => stripe.paymentIntents.create({ ...charge, capture_method: 'manual' });
  const [held, captured, canceled] = [await hold(), await hold(), await hold()];
  await stripe.paymentIntents.capture(captured.id);
  await stripe.paymentIntents.cancel(canceled.id);
  clock.advance(7 * day - 60_000);
  expect((await stripe.paymentIntents.update(held.id, { metadata: { a: 'b' } })).status).toBe('requires_capture');
  clock.advance(60_000);
  expect(service.effects().charges.map(({ status }) => status)).toEqual(['canceled', 'succeeded', 'canceled']);
  expect(await stripe.paymentIntents.retrieve(held.id)).toMatchObject({
    ...{ cancellation_reason: 'expired', amount_capturable: 0, canceled_at: held.created + 7 * 24 * 60 * 60 },
  });
  expect((await stripe.paymentIntents.retrieve(canceled.id)).cancellation_reason).toBeNull();
  expect(await stripe.charges.retrieve(held.latest_charge as string)).toMatchObject({ refunded: false });
  expect((await errorOf(stripe.paymentIntents.capture(held.id))).code).toBe('payment_intent_unexpected_state');
});

test('wrong states: code, words, and the PaymentIntent inside', async () => {
  const { stripe } = await startRig();
  const { id } = await stripe.paymentIntents.create(charge);
  const open = await stripe.paymentIntents.create(create);
  const canceled = await stripe.paymentIntents.cancel((await stripe.paymentIntents.create(create)).id);
  const cases: [() => Promise<unknown>, string, string][] = [
    [
      () => stripe.paymentIntents.cancel(id),
      id,
      'You cannot cancel this PaymentIntent because it has a status of succeeded. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.',
    ],
    [
      () => stripe.paymentIntents.capture(id),
      id,
      'This PaymentIntent could not be captured because it has a status of succeeded. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.',
    ],
    [
      () => stripe.paymentIntents.confirm(id),
      id,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    ],
    [
      () => stripe.paymentIntents.confirm(canceled.id),
      canceled.id,
      'You cannot confirm this PaymentIntent because it has a status of canceled.',
    ],
    [
      () => stripe.paymentIntents.confirm(open.id),
      open.id,
      "You cannot confirm this PaymentIntent because it's missing a payment method.",
    ],
    [
      () => stripe.paymentIntents.update(id, { amount: 100 }),
      id,
      "This PaymentIntent's amount could not be updated because it has a status of succeeded.",
    ],
  ];
  for (const [call, intent, message] of cases) {
    const error = await errorOf(call());
    expect(error).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
    expect(error.message).toContain(message);
    expect(error.payment_intent?.id).toBe(intent);
  }
});

test('an update changes what is named, clears what is empty, and leaves the rest', async () => {
  const { stripe } = await startRig();
  const customer = await stripe.customers.create({});
  const { id } = await stripe.paymentIntents.create({ ...create, description: 'a', receipt_email: 'ada@example.com' });
  const updated = await stripe.paymentIntents.update(id, {
    amount: 300,
    currency: 'eur',
    customer: customer.id,
    description: '',
  });
  expect(updated).toMatchObject({
    amount: 300,
    currency: 'eur',
    customer: customer.id,
    description: null,
    receipt_email: 'ada@example.com',
    payment_method_types: ['card'],
  });
  const tooSmall = await errorOf(stripe.paymentIntents.update(id, { amount: 10 }));
  expect(tooSmall).toMatchObject({ code: 'amount_too_small' });
  expect((await stripe.paymentIntents.retrieve(id)).amount).toBe(300);
});

test('a paid one may still be described', async () => {
  const { stripe } = await startRig();
  const { id } = await stripe.paymentIntents.create(charge);
  const updated = await stripe.paymentIntents.update(id, { description: 'Order 7', metadata: { order: '7' } });
  expect(updated).toMatchObject({ status: 'succeeded', description: 'Order 7', metadata: { order: '7' } });
});

test.each([
  [{ error_on_requires_action: true }, 'can only be passed when confirm'],
  [{ off_session: true }, 'can only be passed when confirm'],
  [{ return_url: 'https://example.com' }, 'can only be passed when confirm'],
  [{ confirm: true }, 'missing a payment method'],
  [{ automatic_payment_methods: { enabled: true } }, 'You may only specify one of these parameters'],
])('parameters that do not go together: %j', async (extra, message) => {
  const { stripe, answers } = await startRig();
  const error = await errorOf(stripe.paymentIntents.create({ ...create, ...extra }));
  expect(error.message).toContain(message);
  expect(answers).toEqual(['rejected']);
});

test('unknown cards, customers and ids', async () => {
  const { stripe, service } = await startRig();
  expect(await errorOf(stripe.paymentIntents.create({ ...charge, payment_method: 'pm_nope' }))).toMatchObject({
    ...{ statusCode: 400, code: 'resource_missing', param: 'payment_method' },
    message: "No such PaymentMethod: 'pm_nope'",
  });
  expect(await errorOf(stripe.paymentIntents.create({ ...charge, customer: 'cus_nope' }))).toMatchObject({
    ...{ statusCode: 400, code: 'resource_missing', param: 'customer' },
    message: "No such customer: 'cus_nope'",
  });
  for (const call of ['retrieve', 'capture'] as const) {
    expect(await errorOf(stripe.paymentIntents[call]('pi_x'))).toMatchObject({
      ...{ statusCode: 404, code: 'resource_missing', param: 'intent' },
      message: "No such payment_intent: 'pi_x'",
    });
  }
  expect(service.effects().charges).toEqual([]);
});

test('a card without a customer is good for one payment, and the test names stand for a new one each time', async () => {
  const { stripe, service } = await startRig();
  const first = await stripe.paymentIntents.create(charge);
  const payment_method = first.payment_method as string;
  expect((await stripe.paymentMethods.retrieve(payment_method)).card).toMatchObject({ brand: 'visa', last4: '4242' });
  const open = await stripe.paymentIntents.create(create);
  for (const again of [
    () => stripe.paymentIntents.create({ ...charge, payment_method }),
    () => stripe.paymentIntents.update(open.id, { payment_method }),
    () => stripe.paymentIntents.confirm(open.id, { payment_method }),
  ]) {
    const error = await errorOf(again());
    expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error' });
    expect(error.message).toBe(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    );
  }
  expect((await stripe.paymentIntents.create(charge)).payment_method).not.toBe(payment_method);
  expect(service.effects().charges.map(({ status }) => status)).toEqual([
    ...['succeeded', 'requires_payment_method', 'succeeded'],
  ]);
});

test('a card that was only named can still be used', async () => {
  const { stripe } = await startRig();
  const named = await stripe.paymentIntents.create({ ...create, payment_method: 'pm_card_visa' });
  const payment_method = named.payment_method as string;
  expect((await stripe.paymentIntents.create({ ...charge, payment_method })).status).toBe('succeeded');
  expect((await errorOf(stripe.paymentIntents.confirm(named.id))).message).toContain('It may not be used again.');
});
