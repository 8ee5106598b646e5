import { expect, test } from 'vitest';
import { charge, errorOf, startRig, type Rig } from './rig.js';

const lag = 60_000;

async function found({ stripe }: Rig, query: string): Promise<string[]> {
  return (await stripe.paymentIntents.search({ query, limit: 100 })).data.map(({ id }) => id);
}

test('a new PaymentIntent is invisible for a while, then found', async () => {
  const rig = await startRig();
  const { id } = await rig.stripe.paymentIntents.create({ ...charge, metadata: { order: '7' } });
  const query = "metadata['order']:'7'";
  expect(await found(rig, query)).toEqual([]);
  rig.clock.advance(lag / 2);
  expect(await found(rig, query)).toEqual([]);
  rig.clock.advance(lag / 2);
  expect(await found(rig, query)).toEqual([id]);
});

test('a changed field lags as well: the index finds what was, and not yet what is', async () => {
  const rig = await startRig();
  const { id } = await rig.stripe.paymentIntents.create({ ...charge, metadata: { order: 'old' } });
  rig.clock.advance(lag);
  await rig.stripe.paymentIntents.update(id, { metadata: { order: 'new' } });
  expect(await found(rig, "metadata['order']:'old'")).toEqual([id]);
  expect(await found(rig, "metadata['order']:'new'")).toEqual([]);
  rig.clock.advance(lag);
  expect(await found(rig, "metadata['order']:'old'")).toEqual([]);
  expect(await found(rig, "metadata['order']:'new'")).toEqual([id]);
  await rig.stripe.paymentIntents.update(id, { metadata: { order: 'newest' } });
  expect(await found(rig, "metadata['order']:'new'")).toEqual([id]);
});

test('the lag can be set', async () => {
  const rig = await startRig();
  rig.settings.update({ searchLagMs: 0 });
  const { id } = await rig.stripe.paymentIntents.create(charge);
  expect(await found(rig, "status:'succeeded'")).toEqual([id]);
});

test('the query language', async () => {
  const rig = await startRig();
  rig.settings.update({ searchLagMs: 0 });
  const { stripe } = rig;
  const customer = await stripe.customers.create({});
  const small = await stripe.paymentIntents.create({
    amount: 100,
    currency: 'usd',
    metadata: { order: "it's 7", a: 'b' },
  });
  const large = await stripe.paymentIntents.create({ ...charge, amount: 9000, currency: 'eur', customer: customer.id });
  const cases: [string, string[]][] = [
    ["status:'succeeded'", [large.id]],
    ['status:"SUCCEEDED"', [large.id]],
    ["-status:'succeeded'", [small.id]],
    ['amount>100', [large.id]],
    ['amount>=100 AND amount<=100', [small.id]],
    ['amount>=100 amount<=100', [small.id]],
    [`status:'succeeded' currency:'eur'  customer:'${customer.id}' `, [large.id]],
    [Array.from({ length: 10 }, () => 'amount>100').join(' AND '), [large.id]],
    ['amount:9000', [large.id]],
    ["currency:'eur' OR currency:'usd'", [large.id, small.id]],
    ["currency:'eur' and amount<9000", []],
    [`customer:'${customer.id}'`, [large.id]],
    ['customer:null', [small.id]],
    ["metadata['order']:'it\\'s 7'", [small.id]],
    ['metadata["order"]:"it\'s 7"', [small.id]],
    ["metadata['order']~\"t's\"", [small.id]],
    ["-metadata['a']:null", [small.id]],
    ["metadata['constructor']:null", [large.id, small.id]],
    [`created>=${small.created}`, [large.id, small.id]],
    [`created<${small.created}`, []],
  ];
  for (const [query, ids] of cases) expect(await found(rig, query), query).toEqual(ids);
});

test.each([
  '',
  'status',
  "status:'a",
  "wat:'x'",
  "metadata:'x'",
  "status['a']:'x'",
  "status:'a' AND",
  "status:'a' AND amount>1 OR amount<3",
  "status:'a' amount>1 OR amount<3",
  'amount>1AND amount>2',
  "status:'a'AND amount>2",
  "status:'a'amount>2",
  Array.from({ length: 11 }, () => 'amount>1').join(' '),
  "status>'a'",
  "status~'ab'",
  "status:'a' nonsense",
])('a query that cannot be read: %s', async (query) => {
  const { stripe } = await startRig();
  expect(await errorOf(stripe.paymentIntents.search({ query }))).toMatchObject({ statusCode: 400 });
});

test('pages, and a count only for those who ask', async () => {
  const rig = await startRig();
  const { stripe } = rig;
  rig.settings.update({ searchLagMs: 0 });
  const ids: string[] = [];
  for (let made = 0; made < 5; made += 1) ids.unshift((await stripe.paymentIntents.create(charge)).id);
  const query = "status:'succeeded'";
  const first = await stripe.paymentIntents.search({ query, limit: 3, expand: ['total_count'] });
  expect(first).toMatchObject({
    object: 'search_result',
    has_more: true,
    total_count: 5,
    url: '/v1/payment_intents/search',
  });
  const second = await stripe.paymentIntents.search({ query, limit: 3, page: first.next_page ?? '' });
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
  expect(second).toMatchObject({ has_more: false, next_page: null });
  expect(second).not.toHaveProperty('total_count');
});

test('another account finds nothing, and old versions of the API cannot search', async () => {
  const rig = await startRig();
  rig.settings.update({ searchLagMs: 0 });
  await rig.stripe.paymentIntents.create(charge);
  const query = "status:'succeeded'";
  expect((await rig.clientFor('sk_test_other').paymentIntents.search({ query })).data).toEqual([]);
  const old = await errorOf(rig.stripe.paymentIntents.search({ query }, { apiVersion: '2020-03-02' }));
  expect(old.message).toContain('Search is not supported on api version 2020-03-02.');
});
