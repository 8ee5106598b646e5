import { expect, test } from 'vitest';
import { cardOnly, charge, chargeForm, errorOf, startRig } from './rig.js';

const intents = '/v1/payment_intents';
const keyed = (key: string): Record<string, string> => ({ 'Idempotency-Key': key });

test('the same key and parameters: one charge, and the same answer marked as a replay', async () => {
  const { service, send, answers } = await startRig();
  const first = await send('POST', intents, chargeForm, keyed('k'));
  const second = await send('POST', intents, chargeForm, keyed('k'));
  expect(first.json.status).toBe('succeeded');
  expect(second.text).toBe(first.text);
  expect(second.status).toBe(200);
  expect(answers).toEqual(['executed', 'replayed']);
  expect(service.effects().charges).toMatchObject([{ id: first.json.id, key: 'k', amount: 2500, status: 'succeeded' }]);
});

test('headers tell a replay from a first answer', async () => {
  const { send } = await startRig();
  const first = await send('POST', intents, chargeForm, keyed('k'));
  const second = await send('POST', intents, chargeForm, keyed('k'));
  const requestId = first.headers.get('request-id');
  expect(requestId).toMatch(/^req_\w{14}$/);
  expect(first.headers.get('original-request')).toBe(requestId);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(first.headers.get('idempotency-key')).toBe('k');
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.headers.get('original-request')).toBe(requestId);
  expect(second.headers.get('request-id')).toMatch(/^req_\w{14}$/);
  expect(second.headers.get('request-id')).not.toBe(requestId);
  expect(second.headers.get('idempotency-key')).toBe('k');
});

test('without a key, and with different keys, every request acts', async () => {
  const { service, send } = await startRig();
  await send('POST', intents, chargeForm);
  await send('POST', intents, chargeForm);
  await send('POST', intents, chargeForm, keyed('a'));
  await send('POST', intents, chargeForm, keyed('b'));
  expect(service.effects().charges.map(({ key }) => key)).toEqual([null, null, 'a', 'b']);
});

test('other parameters under a used key are refused, in words that name the key', async () => {
  const { stripe, service, answers } = await startRig();
  await stripe.paymentIntents.create(charge, { idempotencyKey: 'k' });
  const error = await errorOf(stripe.paymentIntents.create({ ...charge, amount: 2501 }, { idempotencyKey: 'k' }));
  expect(error).toMatchObject({ type: 'StripeIdempotencyError', rawType: 'idempotency_error', statusCode: 400 });
  expect(error.code).toBeUndefined();
  expect(error.message).toBe(
    'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
      "Try using a key other than 'k' if you meant to execute a different request.",
  );
  expect(answers).toEqual(['executed', 'mismatch']);
  expect(service.effects().charges.map(({ amount }) => amount)).toEqual([2500]);
});

test('another endpoint under a used key is refused, naming both paths', async () => {
  const { stripe, service } = await startRig();
  const intent = await stripe.paymentIntents.create(charge, { idempotencyKey: 'k' });
  const error = await errorOf(stripe.refunds.create({ payment_intent: intent.id }, { idempotencyKey: 'k' }));
  expect(error).toMatchObject({ statusCode: 400, rawType: 'idempotency_error' });
  expect(error.message).toContain("('/v1/refunds' vs '/v1/payment_intents')");
  expect(service.effects().refunds).toEqual([]);
});

test('the path with its object id is the endpoint: one key cannot cancel two PaymentIntents', async () => {
  const { stripe } = await startRig();
  const [a, b] = [
    await stripe.paymentIntents.create({ amount: 100, currency: 'usd' }),
    await stripe.paymentIntents.create({ amount: 100, currency: 'usd' }),
  ];
  await stripe.paymentIntents.cancel(a.id, {}, { idempotencyKey: 'k' });
  const error = await errorOf(stripe.paymentIntents.cancel(b.id, {}, { idempotencyKey: 'k' }));
  expect(error.message).toContain(`('/v1/payment_intents/${b.id}/cancel' vs '/v1/payment_intents/${a.id}/cancel')`);
  expect((await stripe.paymentIntents.retrieve(b.id)).status).toBe('requires_payment_method');
});

test.each([
  ['names in another order', 'currency=usd&amount=100', 'amount=100&currency=usd', 'replayed'],
  [
    'another way to write a space',
    'amount=100&currency=usd&description=a+b',
    'amount=100&currency=usd&description=a%20b',
    'replayed',
  ],
  [
    'metadata in another order',
    'amount=100&currency=usd&metadata[a]=1&metadata[b]=2',
    'amount=100&currency=usd&metadata[b]=2&metadata[a]=1',
    'replayed',
  ],
  [
    'items of a list with and without their places',
    'amount=100&currency=usd&expand[]=customer&expand[]=latest_charge',
    'amount=100&currency=usd&expand[1]=latest_charge&expand[0]=customer',
    'replayed',
  ],
  ['one metadata entry more', 'amount=100&currency=usd', 'amount=100&currency=usd&metadata[a]=1', 'mismatch'],
  [
    'a metadata name of the prototype',
    'amount=100&currency=usd',
    'amount=100&currency=usd&metadata[constructor]=1',
    'mismatch',
  ],
  [
    'metadata names that are numbers',
    'amount=100&currency=usd&metadata[0]=a',
    'amount=100&currency=usd&metadata[1]=a',
    'mismatch',
  ],
  ['expand added', 'amount=100&currency=usd', 'amount=100&currency=usd&expand[]=customer', 'mismatch'],
  [
    'a list in another order',
    'amount=100&currency=usd&payment_method_types[]=card&payment_method_types[]=link',
    'amount=100&currency=usd&payment_method_types[]=link&payment_method_types[]=card',
    'mismatch',
  ],
  ['an empty value for an absent one', 'amount=100&currency=usd', 'amount=100&currency=usd&description=', 'mismatch'],
])('parameters are compared as a tree: %s', async (_what, first, second, answer) => {
  const { send, service, answers } = await startRig();
  await send('POST', intents, first, keyed('k'));
  await send('POST', intents, second, keyed('k'));
  expect(answers).toEqual(['executed', answer]);
  expect(service.effects().charges).toHaveLength(1);
});

test('a decline is saved: the key answers 402 for ever, and no second attempt is made', async () => {
  const { send, service } = await startRig();
  const form = chargeForm.replace('pm_card_visa', 'pm_card_chargeDeclined');
  const first = await send('POST', intents, form, keyed('k'));
  const second = await send('POST', intents, form, keyed('k'));
  expect(first.status).toBe(402);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(service.effects().charges).toMatchObject([{ key: 'k', status: 'requires_payment_method' }]);
});

test('an answer that depended on the state of things is saved: the state may change, the answer does not', async () => {
  const { stripe, service } = await startRig();
  const intent = await stripe.paymentIntents.create({ ...cardOnly, amount: 100, currency: 'usd' });
  const confirm = () => stripe.paymentIntents.confirm(intent.id, {}, { idempotencyKey: 'k' });
  expect(await errorOf(confirm())).toMatchObject({ code: 'payment_intent_unexpected_state', statusCode: 400 });
  await stripe.paymentIntents.update(intent.id, { payment_method: 'pm_card_visa' });
  const again = await errorOf(confirm());
  expect(again.headers?.['idempotent-replayed']).toBe('true');
  expect(service.effects().charges).toMatchObject([{ status: 'requires_confirmation' }]);
});

test('a replay shows the object as it was, not as it is', async () => {
  const { stripe } = await startRig();
  const made = await stripe.paymentIntents.create({ amount: 100, currency: 'usd' }, { idempotencyKey: 'k' });
  await stripe.paymentIntents.cancel(made.id);
  const replay = await stripe.paymentIntents.create({ amount: 100, currency: 'usd' }, { idempotencyKey: 'k' });
  expect(replay).toMatchObject({ id: made.id, status: 'requires_payment_method' });
});

test.each([
  ['empty', '', 400],
  ['of 255 characters', 'x'.repeat(255), 200],
  ['of 256 characters', 'x'.repeat(256), 400],
])('a key %s', async (_what, key, status) => {
  const { send, service } = await startRig();
  const answer = await send('POST', intents, chargeForm, keyed(key));
  expect(answer.status).toBe(status);
  if (status === 200) return;
  expect(answer.json.error?.type).toBe('idempotency_error');
  expect(answer.json.error?.message).toContain(`Idempotent key length is ${key.length} characters long`);
  expect(service.effects().charges).toEqual([]);
});

test('GET and DELETE take no notice of a key', async () => {
  const { stripe, send, answers } = await startRig();
  await send('POST', intents, chargeForm, keyed('k'));
  const list = await send('GET', intents, undefined, keyed('k'));
  expect(list.json.data).toHaveLength(1);
  expect(list.headers.get('idempotent-replayed')).toBeNull();
  const customer = await stripe.customers.create({});
  const path = `/v1/customers/${customer.id}`;
  expect((await send('DELETE', path, undefined, keyed('k'))).json.deleted).toBe(true);
  expect((await send('DELETE', path, undefined, keyed('k'))).status).toBe(404);
  expect(answers).not.toContain('replayed');
});

test('a provider without keys executes every request, and the truth still shows under which key', async () => {
  const { send, service, settings } = await startRig();
  settings.update({ ignoreKeys: true });
  await send('POST', intents, chargeForm, keyed('k'));
  await send('POST', intents, chargeForm, keyed('k'));
  expect(service.effects().charges.map(({ key }) => key)).toEqual(['k', 'k']);
});
