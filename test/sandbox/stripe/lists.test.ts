import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { charge, errorOf, startRig, type Rig } from './rig.js';

/** Made one after the other, so that the order is known; the ids oldest first. */
async function makeIntents({ stripe }: Rig, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1)
    ids.push((await stripe.paymentIntents.create({ amount: 100, currency: 'usd' })).id);
  return ids;
}

const idsOf = ({ data }: { data: { id: string }[] }): string[] => data.map(({ id }) => id);

test('newest first, ten a page, cursors both ways', async () => {
  const rig = await startRig();
  const ids = (await makeIntents(rig, 12)).reverse();
  const list = (params: Stripe.PaymentIntentListParams) => rig.stripe.paymentIntents.list(params);
  const first = await list({});
  expect(idsOf(first)).toEqual(ids.slice(0, 10));
  expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/payment_intents' });
  const last = await list({ starting_after: ids[9] ?? '' });
  expect([idsOf(last), last.has_more]).toEqual([ids.slice(10), false]);
  const before = await list({ ending_before: ids[5] ?? '', limit: 3 });
  expect([idsOf(before), before.has_more]).toEqual([ids.slice(2, 5), true]);
  const top = await list({ ending_before: ids[2] ?? '', limit: 3 });
  expect([idsOf(top), top.has_more]).toEqual([ids.slice(0, 2), false]);
  const all = await rig.stripe.paymentIntents.list({ limit: 5 }).autoPagingToArray({ limit: 100 });
  expect(all.map(({ id }) => id)).toEqual(ids);
});

test('an object is listed at once, as it is now', async () => {
  const { stripe } = await startRig();
  const { id } = await stripe.paymentIntents.create(charge);
  await stripe.paymentIntents.update(id, { description: 'new' });
  expect((await stripe.paymentIntents.list()).data).toMatchObject([{ id, description: 'new' }]);
});

test('by time of creation, by customer', async () => {
  const rig = await startRig();
  const { stripe, clock } = rig;
  const [early] = await makeIntents(rig, 1);
  clock.advance(3_600_000);
  const customer = await stripe.customers.create({});
  const late = await stripe.paymentIntents.create({ amount: 100, currency: 'usd', customer: customer.id });
  const list = async (params: Stripe.PaymentIntentListParams) => idsOf(await stripe.paymentIntents.list(params));
  expect(await list({ created: late.created })).toEqual([late.id]);
  expect(await list({ created: { lt: late.created } })).toEqual([early]);
  expect(await list({ created: { gte: late.created } })).toEqual([late.id]);
  expect(await list({ created: { gt: late.created } })).toEqual([]);
  expect(await list({ created: { gte: late.created - 7200, lte: late.created } })).toEqual([late.id, early]);
  expect(await list({ customer: customer.id })).toEqual([late.id]);
  expect(await list({ customer: 'cus_nobody' })).toEqual([]);
});

test('charges by PaymentIntent and customer', async () => {
  const { stripe } = await startRig();
  const customer = await stripe.customers.create({});
  const a = await stripe.paymentIntents.create({ ...charge, customer: customer.id });
  const b = await stripe.paymentIntents.create(charge);
  expect(idsOf(await stripe.charges.list())).toEqual([b.latest_charge, a.latest_charge]);
  expect(idsOf(await stripe.charges.list({ payment_intent: a.id }))).toEqual([a.latest_charge]);
  expect(idsOf(await stripe.charges.list({ customer: customer.id }))).toEqual([a.latest_charge]);
  expect(await errorOf(stripe.charges.list({ payment_intent: 'pi_x' }))).toMatchObject({
    ...{ statusCode: 404, code: 'resource_missing', param: 'payment_intent' },
  });
  expect(await errorOf(stripe.charges.retrieve('ch_x'))).toMatchObject({ statusCode: 404, code: 'resource_missing' });
});

test('cursors and limits that make no sense', async () => {
  const { stripe, send } = await startRig();
  const { id } = await stripe.paymentIntents.create(charge);
  const both = await errorOf(stripe.paymentIntents.list({ starting_after: id, ending_before: id }));
  expect(both.message).toBe('Received both starting_after and ending_before parameters. Please pass in only one.');
  expect(both.code).toBeUndefined();
  expect(await errorOf(stripe.paymentIntents.list({ starting_after: 'pi_x' }))).toMatchObject({
    ...{ code: 'resource_missing', param: 'starting_after' },
  });
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'created=yesterday', 'created[after]=1', 'metadata[a]=b']) {
    expect((await send('GET', `/v1/payment_intents?${query}`)).status, query).toBe(400);
  }
});

test('expand: single objects, through several, and in lists', async () => {
  const { stripe } = await startRig();
  const customer = await stripe.customers.create({ name: 'Ada' });
  const made = await stripe.paymentIntents.create({
    ...charge,
    customer: customer.id,
    expand: ['customer', 'latest_charge'],
  });
  expect(made).toMatchObject({ customer: { name: 'Ada' }, latest_charge: { object: 'charge', amount: 2500 } });
  const refund = await stripe.refunds.create({
    payment_intent: made.id,
    amount: 100,
    expand: ['charge.payment_intent.customer'],
  });
  expect(refund.charge).toMatchObject({ payment_intent: { id: made.id, customer: { name: 'Ada' } } });
  const list = await stripe.paymentIntents.list({ expand: ['data.latest_charge.refunds', 'data.payment_method'] });
  expect(list.data).toMatchObject([
    { latest_charge: { refunds: { data: [{ id: refund.id }] } }, payment_method: { card: { last4: '4242' } } },
  ]);
  const inside = ['refunds.data.payment_intent', 'refunds.data.payment_method'];
  const { id: chargeId } = made.latest_charge as Stripe.Charge;
  const charged = await stripe.charges.retrieve(chargeId, { expand: inside });
  expect(charged.refunds?.data).toMatchObject([{ payment_intent: { id: made.id }, payment_method: { type: 'card' } }]);
  const deep = await stripe.paymentIntents.retrieve(made.id, { expand: ['latest_charge.refunds.data.charge'] });
  expect(deep.latest_charge).toMatchObject({ refunds: { data: [{ charge: { id: chargeId } }] } });
  await stripe.customers.del(customer.id);
  const later = await stripe.paymentIntents.retrieve(made.id, { expand: ['customer'] });
  expect(later.customer).toEqual({ id: customer.id, object: 'customer', deleted: true });
});

test.each([
  'amount',
  'nothing',
  'latest_charge.amount',
  'latest_charge.refunds.payment_method',
  'latest_charge.refunds.data.amount',
  'constructor',
  '__proto__',
  'customer.default_source.a.b.c',
])('what cannot be expanded never executes: %s', async (path) => {
  const { stripe, service } = await startRig();
  expect(await errorOf(stripe.paymentIntents.create({ ...charge, expand: [path] }))).toMatchObject({
    statusCode: 400,
  });
  expect(service.effects().charges).toEqual([]);
});
