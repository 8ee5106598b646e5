import type Stripe from 'stripe';
import { describe, expect, inject, test } from 'vitest';
import { endpoints } from '../../src/sandbox/stripe/routes.js';
import { sandboxForTest } from '../sandbox/rig.js';
import { compareNames, readFixtures } from './fixtures.js';
import { differences } from './fixture-differences.js';
import { startTour, type Tour } from './tour.js';
import { complaintsOf } from './witness.js';

const mock = inject('stripeMock');

const charge: Stripe.PaymentIntentCreateParams = {
  amount: 2500,
  currency: 'usd',
  payment_method: 'pm_card_visa',
  allowed_payment_method_types: ['card'],
  confirm: true,
};

async function customers({ stripe, failing }: Tour): Promise<Stripe.Customer> {
  const customer = await stripe.customers.create({ name: 'Ada', email: 'ada@example.com' });
  await stripe.customers.retrieve(customer.id);
  await stripe.customers.update(customer.id, { metadata: { a: 'b' } });
  await stripe.customers.list({ limit: 1 });
  const other = await stripe.customers.create({});
  await stripe.customers.del(other.id);
  await stripe.customers.retrieve(other.id);
  await failing(stripe.customers.create({ email: 'nobody' }));
  await failing(stripe.customers.retrieve('cus_x'));
  await failing(stripe.customers.update(other.id, { name: 'x' }));
  await failing(stripe.customers.list({ starting_after: 'cus_x' }));
  await failing(stripe.customers.del(other.id));
  return customer;
}

async function payments({ stripe, failing }: Tour, customer: string): Promise<Stripe.PaymentIntent> {
  const { paymentIntents } = stripe;
  const paid = await paymentIntents.create({ ...charge, customer, description: 'Order', metadata: { order: '1' } });
  await paymentIntents.retrieve(paid.id, { expand: ['latest_charge', 'customer', 'payment_method'] });
  await paymentIntents.list({ expand: ['data.latest_charge.refunds'] });
  await paymentIntents.search({ query: "status:'succeeded'" });

  const held = await paymentIntents.create({ amount: 2500, currency: 'usd', capture_method: 'manual' });
  await paymentIntents.update(held.id, { payment_method: 'pm_card_visa', allowed_payment_method_types: ['card'] });
  await paymentIntents.confirm(held.id);
  await paymentIntents.capture(held.id, { amount_to_capture: 1000 });
  const given_up = await paymentIntents.create({ amount: 2500, currency: 'usd' });
  await paymentIntents.cancel(given_up.id, { cancellation_reason: 'abandoned' });
  await paymentIntents.create({ ...charge, payment_method: 'pm_card_authenticationRequired' });

  for (const method of ['pm_card_chargeDeclined', 'pm_card_radarBlock', 'pm_card_authenticationRequired']) {
    await failing(paymentIntents.create({ ...charge, payment_method: method, error_on_requires_action: true }));
  }
  await failing(paymentIntents.create({ ...charge, amount: 1 }));
  await failing(paymentIntents.retrieve('pi_x'));
  await failing(paymentIntents.list({ limit: 101 }));
  await failing(paymentIntents.search({ query: 'nonsense' }));
  await failing(paymentIntents.update(paid.id, { amount: 100 }));
  await failing(paymentIntents.confirm(paid.id));
  await failing(paymentIntents.capture(paid.id));
  await failing(paymentIntents.cancel(paid.id));
  return paid;
}

async function refundsAndReads({ stripe, failing }: Tour, paid: Stripe.PaymentIntent): Promise<void> {
  const refund = await stripe.refunds.create({ payment_intent: paid.id, amount: 500, reason: 'duplicate' });
  await stripe.refunds.retrieve(refund.id, { expand: ['charge', 'payment_intent.latest_charge'] });
  await stripe.refunds.list({ payment_intent: paid.id });
  await failing(stripe.refunds.create({ payment_intent: paid.id, amount: 5000 }));
  await failing(stripe.refunds.retrieve('re_x'));
  await failing(stripe.refunds.list({ ending_before: 're_x' }));

  await stripe.charges.retrieve(paid.latest_charge as string, { expand: ['refunds', 'payment_intent'] });
  await stripe.charges.list({ payment_intent: paid.id });
  await failing(stripe.charges.retrieve('ch_x'));
  await failing(stripe.charges.list({ limit: 0 }));
  await stripe.paymentMethods.retrieve(paid.payment_method as string);
  await failing(stripe.paymentMethods.retrieve('pm_x'));
  await stripe.accounts.retrieveCurrent();
  await failing(stripe.accounts.retrieveCurrent({ expand: ['nothing'] }));
}

async function idempotency({ stripe, failing }: Tour, paid: string): Promise<void> {
  const key = { idempotencyKey: 'k' };
  await stripe.paymentIntents.create(charge, key);
  await stripe.paymentIntents.create(charge, key);
  await failing(stripe.paymentIntents.create({ ...charge, amount: 100 }, key));
  await failing(stripe.refunds.create({ payment_intent: paid }, key));
  await failing(stripe.paymentIntents.create(charge, { idempotencyKey: 'k'.repeat(256) }));
}

describe.skipIf(!mock)('what the sandbox answers', () => {
  test('a tour of every endpoint, in success and in failure, keeps to the specification', async () => {
    const sandbox = await sandboxForTest();
    sandbox.updateSettings({ searchLagMs: 0 });
    const tour = startTour(sandbox);
    const paid = await payments(tour, (await customers(tour)).id);
    await refundsAndReads(tour, paid);
    await idempotency(tour, paid.id);
    for (const fault of ['429', '400-rate-limit', 'lock-timeout', '409', '500-saved'] as const) {
      sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault });
      await tour.failing(tour.stripe.paymentIntents.create(charge));
    }

    expect(await complaintsOf(tour.exchanges)).toEqual([]);
    const unseen = endpoints.flatMap(({ method, path }) => {
      const pattern = new RegExp(`^${path.replace('{id}', '(?!search$)[^/]+')}$`);
      const seen = tour.visits.filter((visit) => visit.method === method && pattern.test(visit.path));
      const statuses = new Set(seen.map(({ status }) => status === 200));
      return statuses.size === 2 ? [] : [`${method} ${path}`];
    });
    expect(unseen).toEqual([]);
  });

  test('every object has the names that Stripe’s own example of it has, but for the listed ones', async () => {
    const tour = startTour(await sandboxForTest());
    const customer = await customers(tour);
    const paid = await payments(tour, customer.id);
    await refundsAndReads(tour, paid);
    const fixture = readFixtures(mock?.openapi ?? '');
    const found = [
      'payment_intent',
      'charge',
      'refund',
      'customer',
      'deleted_customer',
      'payment_method',
      'account',
    ].map((name) => {
      const object = name.replace('deleted_', '');
      const one = tour.visits.find(
        ({ status, body }) => status === 200 && body['object'] === object && 'deleted' in body === (object !== name),
      );
      return [
        name,
        compareNames(one?.body ?? {}, fixture(name)).map(({ path, difference }) => `${difference} ${path}`),
      ];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(found.map(([name]) => [name, Object.keys(differences[name as string] ?? {})])),
    );
  });
});
