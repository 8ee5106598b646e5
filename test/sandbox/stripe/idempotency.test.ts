import { expect, test } from 'vitest';
import { charge, chargeForm, errorOf, startRig } from './rig.js';

const intents = '/v1/payment_intents';

test('the same key and parameters: one charge, the same answer, marked as a replay', async () => {
  const { stripe, service, send } = await startRig();
  const first = await stripe.paymentIntents.create(charge, { idempotencyKey: 'k' });
  expect(first.status).toBe('succeeded');
  const second = await send('POST', intents, chargeForm, { 'Idempotency-Key': 'other' });
  const third = await send('POST', intents, chargeForm, { 'Idempotency-Key': 'other' });
  expect(third.text).toBe(second.text);
  expect(third.headers.get('idempotent-replayed')).toBe('true');
  expect(service.effects().charges).toHaveLength(2);
});

test('other parameters under a used key are refused', async () => {
  const { stripe, service } = await startRig();
  await stripe.paymentIntents.create(charge, { idempotencyKey: 'k' });
  const error = await errorOf(stripe.paymentIntents.create({ ...charge, amount: 2501 }, { idempotencyKey: 'k' }));
  expect(error).toMatchObject({ statusCode: 400, rawType: 'idempotency_error', code: undefined });
  expect(service.effects().charges.map(({ amount }) => amount)).toEqual([2500]);
});
