import { expect, test } from 'vitest';
import { errorOf, startRig } from './rig.js';

const create = { amount: 100, currency: 'usd' };
const entries = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, 'x']));

test('50 entries, names of 40 and values of 500 characters', async () => {
  const { stripe, service } = await startRig();
  const metadata = { ...entries(49), ['n'.repeat(40)]: 'v'.repeat(500) };
  const intent = await stripe.paymentIntents.create({ ...create, metadata });
  expect(intent.metadata).toEqual(metadata);
  expect(service.effects().charges[0]?.metadata).toEqual(metadata);
});

test('characters are counted, not bytes', async () => {
  const { stripe } = await startRig();
  const metadata = { ['é'.repeat(40)]: '😀'.repeat(500) };
  expect((await stripe.paymentIntents.create({ ...create, metadata })).metadata).toEqual(metadata);
});

test.each([
  ['51 entries', entries(51), "Metadata can have up to 50 keys, but you've set 51."],
  ['a long name', { ['n'.repeat(41)]: 'x' }, 'must be a string under 40 characters'],
  ['a long value', { a: 'v'.repeat(501) }, 'must be a string under 500 characters'],
  ['brackets in a name', { 'a[b]': 'x' }, 'square brackets'],
])('refused: %s', async (_what, metadata, message) => {
  const { stripe, service, answers } = await startRig();
  const error = await errorOf(stripe.paymentIntents.create({ ...create, metadata }));
  expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', param: 'metadata' });
  expect(error.message).toContain(message);
  expect(answers).toEqual(['rejected']);
  expect(service.effects().charges).toEqual([]);
});

test.each([
  ['a list as a value', 'metadata[a][]=1', 'Invalid val'],
  ['a hash as a value', 'metadata[a][b]=1', 'Invalid val'],
  ['no hash at all', 'metadata=foo', 'Invalid object'],
])('refused: %s', async (_what, form, message) => {
  const { send } = await startRig();
  const { status, json } = await send('POST', '/v1/payment_intents', `amount=100&currency=usd&${form}`);
  expect(status).toBe(400);
  expect(json.error?.message).toContain(message);
});

test('names that JavaScript objects already have', async () => {
  const { stripe, service } = await startRig();
  const metadata = { constructor: 'a', toString: 'b', hasOwnProperty: 'c', valueOf: 'd', length: 'e', '0': 'f' };
  const { id } = await stripe.paymentIntents.create({
    ...create,
    metadata: metadata,
  });
  expect((await stripe.paymentIntents.retrieve(id)).metadata).toEqual(metadata);
  const updated = await stripe.paymentIntents.update(id, {
    metadata: { valueOf: 'new' } as unknown as Record<string, string>,
  });
  expect(updated.metadata).toEqual({ ...metadata, valueOf: 'new' });
  expect(service.effects().charges[0]?.metadata).toEqual({ ...metadata, valueOf: 'new' });
});

test('__proto__ is refused, in a name and as a name, and changes nothing', async () => {
  const { send } = await startRig();
  const form = 'amount=100&currency=usd';
  for (const hostile of [
    'metadata[__proto__]=x',
    'metadata[__proto__][polluted]=x',
    '__proto__[polluted]=x',
    '__proto__=x',
  ]) {
    expect((await send('POST', '/v1/payment_intents', `${form}&${hostile}`)).status, hostile).toBe(400);
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect((await send('POST', '/v1/payment_intents', `${form}&metadata[a__proto__]=x`)).status).toBe(200);
});

test('an update merges, an empty value removes one entry, an empty hash all', async () => {
  const { stripe } = await startRig();
  const { id } = await stripe.paymentIntents.create({ ...create, metadata: { a: '1', b: '2' } });
  expect((await stripe.paymentIntents.update(id, { metadata: { b: '3', c: '4' } })).metadata).toEqual({
    a: '1',
    b: '3',
    c: '4',
  });
  expect((await stripe.paymentIntents.update(id, { metadata: { a: '' } })).metadata).toEqual({ b: '3', c: '4' });
  expect((await stripe.paymentIntents.update(id, { description: 'x' })).metadata).toEqual({ b: '3', c: '4' });
  expect((await stripe.paymentIntents.update(id, { metadata: '' })).metadata).toEqual({});
});

test('the limit of 50 holds for what is there after an update', async () => {
  const { stripe } = await startRig();
  const { id } = await stripe.paymentIntents.create({ ...create, metadata: entries(50) });
  const error = await errorOf(stripe.paymentIntents.update(id, { metadata: { more: 'x' } }));
  expect(error.message).toContain("you've set 51");
  const swapped = await stripe.paymentIntents.update(id, { metadata: { name0: '', more: 'x' } });
  expect(Object.keys(swapped.metadata)).toHaveLength(50);
});
