import { expect, test } from 'vitest';
import { charge, errorOf, startRig } from './rig.js';

test('create, retrieve, update, list, delete', async () => {
  const { stripe } = await startRig();
  const made = await stripe.customers.create({ name: 'Ada', email: 'ada@example.com', metadata: { a: '1' } });
  expect(made.id).toMatch(/^cus_\w{14}$/);
  expect(made).toMatchObject({
    object: 'customer',
    livemode: false,
    balance: 0,
    description: null,
    metadata: { a: '1' },
  });
  const address = { line1: 'Street 1', city: 'Paris', country: 'FR' };
  const updated = await stripe.customers.update(made.id, { name: '', address, metadata: { b: '2' } });
  expect(updated).toMatchObject({ name: null, email: 'ada@example.com', metadata: { a: '1', b: '2' } });
  expect(updated.address).toEqual({ ...address, line2: null, postal_code: null, state: null });
  expect(await stripe.customers.retrieve(made.id)).toMatchObject({ id: made.id, name: null });
  const other = await stripe.customers.create({});
  expect((await stripe.customers.list()).data.map(({ id }) => id)).toEqual([other.id, made.id]);
  expect((await stripe.customers.list({ email: 'ada@example.com' })).data.map(({ id }) => id)).toEqual([made.id]);

  const stub = { id: made.id, object: 'customer', deleted: true };
  expect(await stripe.customers.del(made.id)).toMatchObject(stub);
  expect(await stripe.customers.retrieve(made.id)).toMatchObject(stub);
  expect((await stripe.customers.list()).data.map(({ id }) => id)).toEqual([other.id]);
});

test('a deleted customer cannot be charged, changed or deleted again', async () => {
  const { stripe, service } = await startRig();
  const { id } = await stripe.customers.create({});
  await stripe.customers.del(id);
  expect(await errorOf(stripe.paymentIntents.create({ ...charge, customer: id }))).toMatchObject({
    code: 'resource_missing',
  });
  expect(await errorOf(stripe.customers.update(id, { name: 'x' }))).toMatchObject({ statusCode: 404, param: 'id' });
  expect(await errorOf(stripe.customers.del(id))).toMatchObject({ statusCode: 404 });
  expect(service.effects().charges).toEqual([]);
});

test('an address for e-mail that is none', async () => {
  const { stripe } = await startRig();
  expect(await errorOf(stripe.customers.create({ email: 'ada' }))).toMatchObject({
    code: 'email_invalid',
    param: 'email',
  });
});

test('customers have keys too', async () => {
  const { stripe } = await startRig();
  const make = () => stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k' });
  expect((await make()).id).toBe((await make()).id);
  expect((await stripe.customers.list()).data).toHaveLength(1);
});
