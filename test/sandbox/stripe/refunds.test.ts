import { expect, test } from 'vitest';
import { charge, errorOf, startRig } from './rig.js';

test('a refund of everything, by PaymentIntent', async () => {
  const { stripe, service } = await startRig();
  const intent = await stripe.paymentIntents.create(charge);
  const refund = await stripe.refunds.create(
    { payment_intent: intent.id, reason: 'requested_by_customer', metadata: { why: 'late' } },
    { idempotencyKey: 'r' },
  );
  expect(refund).toMatchObject({
    ...{ status: 'succeeded', amount: 2500, currency: 'usd', reason: 'requested_by_customer' },
    ...{ payment_intent: intent.id, charge: intent.latest_charge, metadata: { why: 'late' } },
  });
  expect(refund.id).toMatch(/^re_3/);
  expect(await stripe.charges.retrieve(refund.charge as string)).toMatchObject({
    refunded: true,
    amount_refunded: 2500,
  });
  expect(service.effects()).toMatchObject({
    charges: [{ amount: 2500, amount_refunded: 2500, status: 'succeeded' }],
    refunds: [{ id: refund.id, payment_intent: intent.id, key: 'r', amount: 2500, status: 'succeeded' }],
  });
});

test('a replayed refund gives nothing twice', async () => {
  const { stripe, service } = await startRig();
  const { id } = await stripe.paymentIntents.create(charge);
  const once = () => stripe.refunds.create({ payment_intent: id, amount: 1000 }, { idempotencyKey: 'r' });
  expect((await once()).id).toBe((await once()).id);
  expect(service.effects()).toMatchObject({ charges: [{ amount_refunded: 1000 }], refunds: [{ amount: 1000 }] });
});

test('parts, then what is left, then nothing', async () => {
  const { stripe, service } = await startRig();
  const { id, latest_charge } = await stripe.paymentIntents.create({ ...charge, amount: 5500 });
  await stripe.refunds.create({ charge: latest_charge as string, amount: 3000 });
  expect(await stripe.charges.retrieve(latest_charge as string)).toMatchObject({
    refunded: false,
    amount_refunded: 3000,
  });

  const tooMuch = await errorOf(stripe.refunds.create({ payment_intent: id, amount: 3000 }));
  expect(tooMuch).toMatchObject({
    ...{ statusCode: 400, rawType: 'invalid_request_error', param: 'amount' },
    message: 'Refund amount ($30.00) is greater than unrefunded amount on charge ($25.00)',
  });
  expect(tooMuch.code).toBeUndefined();

  expect((await stripe.refunds.create({ payment_intent: id })).amount).toBe(2500);
  const nothingLeft = await errorOf(stripe.refunds.create({ payment_intent: id }));
  expect(nothingLeft).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' });
  expect(nothingLeft.message).toBe(`Charge ${latest_charge as string} has already been refunded.`);
  expect(service.effects().refunds.map(({ amount }) => amount)).toEqual([3000, 2500]);
});

test('"too much" is an answer of the state and is saved under its key', async () => {
  const { stripe } = await startRig();
  const { id } = await stripe.paymentIntents.create(charge);
  const tooMuch = () => stripe.refunds.create({ payment_intent: id, amount: 9900 }, { idempotencyKey: 'r' });
  await errorOf(tooMuch());
  expect((await errorOf(tooMuch())).headers?.['idempotent-replayed']).toBe('true');
});

test('20 partial refunds at once never give back more than was taken', async () => {
  const { stripe, service } = await startRig();
  const { id } = await stripe.paymentIntents.create(charge);
  const one = () => stripe.refunds.create({ payment_intent: id, amount: 300 });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, one));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  expect(service.effects().charges).toMatchObject([{ amount_refunded: 2400 }]);
});

test('what cannot be refunded', async () => {
  const { stripe, service, answers } = await startRig();
  const none = await errorOf(stripe.refunds.create({}));
  expect(none.message).toBe(
    'One of the following params should be provided for this request: payment_intent or charge.',
  );
  expect(answers).toEqual(['rejected']);
  for (const params of [{ charge: 'ch_x' }, { payment_intent: 'pi_x' }]) {
    expect(await errorOf(stripe.refunds.create(params))).toMatchObject({ statusCode: 404, code: 'resource_missing' });
  }
  const unpaid = await stripe.paymentIntents.create({ amount: 100, currency: 'usd' });
  const held = await stripe.paymentIntents.create({ ...charge, capture_method: 'manual' });
  for (const { id } of [unpaid, held]) {
    const error = await errorOf(stripe.refunds.create({ payment_intent: id }));
    expect(error.message).toBe(`This PaymentIntent (${id}) does not have a successful charge to refund.`);
  }
  const uncaptured = await errorOf(stripe.refunds.create({ charge: held.latest_charge as string }));
  expect(uncaptured.message).toBe(
    `This uncaptured Charge was created by a PaymentIntent (${held.id}). You must cancel the PaymentIntent to reverse the authorization instead of refunding the Charge directly.`,
  );
  const declined = await errorOf(stripe.paymentIntents.create({ ...charge, payment_method: 'pm_card_chargeDeclined' }));
  expect((await errorOf(stripe.refunds.create({ charge: declined.charge ?? '' }))).statusCode).toBe(400);
  const disputed = await stripe.paymentIntents.create({ ...charge, payment_method: 'pm_card_createDispute' });
  expect(await errorOf(stripe.refunds.create({ payment_intent: disputed.id }))).toMatchObject({
    code: 'charge_disputed',
  });
  const zero = await errorOf(stripe.refunds.create({ payment_intent: held.id, amount: 0 }));
  expect(zero).toMatchObject({ code: 'parameter_invalid_integer', param: 'amount' });
  expect(service.effects().refunds).toEqual([]);
});

test('a pending refund succeeds after a while, also when it was asked for with a key', async () => {
  const { stripe, service, clock } = await startRig();
  const { id } = await stripe.paymentIntents.create({ ...charge, payment_method: 'pm_card_pendingRefund' });
  const refund = await stripe.refunds.create({ payment_intent: id }, { idempotencyKey: 'r' });
  expect(refund.status).toBe('pending');
  expect((await stripe.refunds.retrieve(refund.id)).status).toBe('pending');
  clock.advance(60_000);
  expect(service.effects().refunds).toMatchObject([{ status: 'succeeded' }]);
  expect((await stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
  const replay = await stripe.refunds.create({ payment_intent: id }, { idempotencyKey: 'r' });
  expect(replay.status).toBe('pending');
});

test('a refund that succeeded may fail later: the money is refundable again', async () => {
  const { stripe, service, clock } = await startRig();
  const { id } = await stripe.paymentIntents.create({ ...charge, payment_method: 'pm_card_refundFail' });
  const refund = await stripe.refunds.create({ payment_intent: id });
  expect(refund.status).toBe('succeeded');
  clock.advance(60_000);
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'failed' });
  expect(service.effects()).toMatchObject({ charges: [{ amount_refunded: 0 }], refunds: [{ status: 'failed' }] });
});

test('lists are newest first and filtered by charge and PaymentIntent', async () => {
  const { stripe } = await startRig();
  const [a, b] = [await stripe.paymentIntents.create(charge), await stripe.paymentIntents.create(charge)];
  const first = await stripe.refunds.create({ payment_intent: a.id, amount: 100 });
  const second = await stripe.refunds.create({ payment_intent: a.id, amount: 200 });
  const other = await stripe.refunds.create({ payment_intent: b.id, amount: 300 });
  const ids = async (params: object): Promise<string[]> => (await stripe.refunds.list(params)).data.map(({ id }) => id);
  expect(await ids({})).toEqual([other.id, second.id, first.id]);
  expect(await ids({ payment_intent: a.id })).toEqual([second.id, first.id]);
  expect(await ids({ charge: b.latest_charge })).toEqual([other.id]);
  for (const [param, noun] of [
    ['charge', 'ch_unknown'],
    ['payment_intent', 'pi_unknown'],
  ] as const) {
    expect(await errorOf(stripe.refunds.list({ [param]: noun }))).toMatchObject({
      ...{ statusCode: 404, code: 'resource_missing', param, message: `No such ${param}: '${noun}'` },
    });
  }
  expect(await errorOf(stripe.refunds.retrieve('re_x'))).toMatchObject({ statusCode: 404, code: 'resource_missing' });
});
