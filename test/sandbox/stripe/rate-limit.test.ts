import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { charge, chargeForm, errorOf, startRig } from './rig.js';

const intents = '/v1/payment_intents';
const key = { 'Idempotency-Key': 'k' };

/** The sandbox's clock goes by this one: here it stands still. */
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

test('above the limit: 429 in front of the idempotency layer, and nothing is saved', async () => {
  const { stripe, send, service, settings, clock, answers } = await startRig();
  settings.update({ rateLimit: 2 });
  await send('GET', intents);
  await send('GET', intents);
  const error = await errorOf(stripe.paymentIntents.create(charge, { idempotencyKey: 'k' }));
  expect(error).toMatchObject({ statusCode: 429, code: 'rate_limit', type: 'StripeRateLimitError' });
  expect(error.headers?.['stripe-rate-limited-reason']).toBe('global-rate');
  expect(answers.at(-1)).toBe('rejected');
  expect(service.effects().charges).toEqual([]);

  clock.advance(1000);
  const retried = await send('POST', intents, chargeForm, key);
  expect(retried.status).toBe(200);
  expect(retried.headers.get('idempotent-replayed')).toBeNull();
});

test('replays count, other accounts do not', async () => {
  const { send, clientFor, settings } = await startRig();
  settings.update({ rateLimit: 2 });
  await send('POST', intents, chargeForm, key);
  await send('POST', intents, chargeForm, key);
  expect((await send('POST', intents, chargeForm, key)).status).toBe(429);
  expect((await clientFor('sk_test_other').paymentIntents.create(charge)).status).toBe('succeeded');
});

test('no limit unless one is set', async () => {
  const { send } = await startRig();
  const answers = await Promise.all(Array.from({ length: 60 }, () => send('GET', intents)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
});
