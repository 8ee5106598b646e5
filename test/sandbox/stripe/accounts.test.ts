import { expect, test } from 'vitest';
import { charge, chargeForm, errorOf, startRig } from './rig.js';

const intents = '/v1/payment_intents';

test('one key under two secret keys and a connected account: three PaymentIntents, none sees another', async () => {
  const { stripe, clientFor, service } = await startRig();
  const other = clientFor('sk_test_other');
  const connected = { stripeAccount: 'acct_connected' };
  const made = [
    await stripe.paymentIntents.create(charge, { idempotencyKey: 'k' }),
    await other.paymentIntents.create(charge, { idempotencyKey: 'k' }),
    await stripe.paymentIntents.create(charge, { idempotencyKey: 'k', ...connected }),
  ];
  expect(new Set(made.map(({ id }) => id)).size).toBe(3);
  expect(service.effects().charges).toHaveLength(3);
  expect(await errorOf(other.paymentIntents.retrieve(made[0]?.id ?? ''))).toMatchObject({ statusCode: 404 });
  const ids = (list: { data: { id: string }[] }): string[] => list.data.map(({ id }) => id);
  expect(ids(await stripe.paymentIntents.list())).toEqual([made[0]?.id]);
  expect(ids(await other.paymentIntents.list())).toEqual([made[1]?.id]);
  expect(ids(await stripe.paymentIntents.list({}, connected))).toEqual([made[2]?.id]);
});

test("a platform's connected account is not that of another platform", async () => {
  const { stripe, clientFor } = await startRig();
  const connected = { stripeAccount: 'acct_connected' };
  const intent = await stripe.paymentIntents.create(charge, connected);
  const stranger = clientFor('sk_test_other').paymentIntents.retrieve(intent.id, {}, connected);
  expect(await errorOf(stranger)).toMatchObject({ code: 'resource_missing' });
});

test("objects of another account cannot be refunded, used or deleted, and cursors don't reach them", async () => {
  const { stripe, clientFor, service } = await startRig();
  const intent = await stripe.paymentIntents.create(charge);
  const customer = await stripe.customers.create({});
  const other = clientFor('sk_test_other');
  await errorOf(other.refunds.create({ payment_intent: intent.id }));
  await errorOf(other.paymentIntents.create({ ...charge, customer: customer.id }));
  await errorOf(other.paymentIntents.create({ ...charge, payment_method: intent.payment_method as string }));
  await errorOf(other.customers.del(customer.id));
  await errorOf(other.paymentIntents.list({ starting_after: intent.id }));
  expect(service.effects()).toMatchObject({ charges: [{ id: intent.id, amount_refunded: 0 }], refunds: [] });
  expect(await stripe.customers.retrieve(customer.id)).not.toHaveProperty('deleted');
});

test('the account id follows the key and stays the same', async () => {
  const { stripe, clientFor } = await startRig();
  const own = await stripe.accounts.retrieveCurrent();
  expect(own.id).toMatch(/^acct_\w+$/);
  expect((await clientFor('sk_test_rig').accounts.retrieveCurrent()).id).toBe(own.id);
  expect((await clientFor('rk_test_rig').accounts.retrieveCurrent()).id).toBe(own.id);
  expect((await clientFor('sk_test_other').accounts.retrieveCurrent()).id).not.toBe(own.id);
  const connected = await stripe.accounts.retrieveCurrent({}, { stripeAccount: 'acct_connected' });
  expect(connected.id).toBe('acct_connected');
});

test('Bearer and Basic authentication', async () => {
  const { send, service } = await startRig();
  const basic = `Basic ${Buffer.from('sk_test_rig:').toString('base64')}`;
  expect((await send('POST', intents, chargeForm, { Authorization: basic })).status).toBe(200);
  expect((await send('GET', intents)).json.data).toHaveLength(1);
  expect(service.effects().charges).toHaveLength(1);
});

test.each([
  ['none', '', 401, 'You did not provide an API key.'],
  ['another scheme', 'Digest sk_test_rig', 401, 'You did not provide an API key.'],
  ['a wrong one', 'Bearer sk_wrong_4eC39HqLyjWDarjtT1zdp7dc', 401, 'Invalid API Key provided: '],
  ['a live one', 'Bearer sk_live_4eC39HqLyjWDarjtT1zdp7dc', 401, 'refuses live API keys'],
  ['a restricted live one', 'Bearer rk_live_4eC39HqLyjWDarjtT1zdp7dc', 401, 'refuses live API keys'],
  ['a publishable one', 'Bearer pk_test_4eC39HqLyjWDarjtT1zdp7dc', 401, 'publishable API key'],
])('API key: %s', async (_what, authorization, status, message) => {
  const { send, service, answers } = await startRig();
  const answer = await send('POST', intents, chargeForm, { Authorization: authorization });
  expect(answer.status).toBe(status);
  expect(answer.json.error).toMatchObject({ type: 'invalid_request_error' });
  expect(answer.json.error?.message).toContain(message);
  expect(answer.text).not.toContain('4eC39HqLyjWDarjtT1zd');
  expect(answers).toEqual(['rejected']);
  expect(service.effects().charges).toEqual([]);
});

test('a Stripe-Account that is no account', async () => {
  const { send } = await startRig();
  const answer = await send('GET', intents, undefined, { 'Stripe-Account': 'acct_1/../other' });
  expect(answer).toMatchObject({ status: 403, json: { error: { code: 'account_invalid' } } });
});
