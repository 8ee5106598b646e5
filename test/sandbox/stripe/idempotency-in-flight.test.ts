import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { charge, chargeForm, errorOf, startRig, type Rig } from './rig.js';

const intents = '/v1/payment_intents';
const key = { 'Idempotency-Key': 'k' };

/** A charge under key `k` that is in flight when this resolves, and until it is told to end. */
async function startSlowCharge({ send, injectNext }: Rig): Promise<{ end: () => ReturnType<Rig['send']> }> {
  const work = new EventEmitter();
  injectNext({
    async delay() {
      const goesOn = once(work, 'goes on');
      work.emit('has begun');
      await goesOn;
    },
  });
  const hasBegun = once(work, 'has begun');
  const done = send('POST', intents, chargeForm, key);
  await hasBegun;
  return {
    end() {
      work.emit('goes on');
      return done;
    },
  };
}

test('a key in use: 409, and afterwards the answer', async () => {
  const rig = await startRig();
  const { end } = await startSlowCharge(rig);
  const error = await errorOf(rig.stripe.paymentIntents.create(charge, { idempotencyKey: 'k' }));
  expect(error).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use', rawType: 'invalid_request_error' });
  expect(error.message).toContain('another in-progress request using this Idempotent Key');
  expect(rig.answers).toContain('in_flight');
  // Nothing is executed yet, and another key is free.
  expect((await rig.send('POST', intents, chargeForm, { 'Idempotency-Key': 'other' })).status).toBe(200);
  expect(rig.service.effects().charges.map(({ key }) => key)).toEqual(['other']);

  const first = await end();
  const after = await rig.send('POST', intents, chargeForm, key);
  expect(after.text).toBe(first.text);
  expect(rig.service.effects().charges.map(({ key }) => key)).toEqual(['other', 'k']);
});

test('other parameters, or another endpoint, while the first is in flight: nothing is executed', async () => {
  const rig = await startRig();
  const { end } = await startSlowCharge(rig);
  const other = await rig.send('POST', intents, chargeForm.replace('2500', '9900'), key);
  expect(other.status).toBe(409);
  const elsewhere = await rig.send('POST', '/v1/customers', 'name=Ada', key);
  expect(elsewhere.status).toBe(409);
  await end();
  expect(rig.service.effects().charges.map(({ amount }) => amount)).toEqual([2500]);
  expect((await rig.stripe.customers.list()).data).toEqual([]);
});

test('the 409 is not what is saved', async () => {
  const rig = await startRig();
  const { end } = await startSlowCharge(rig);
  expect((await rig.send('POST', intents, chargeForm, key)).status).toBe(409);
  await end();
  expect((await rig.send('POST', intents, chargeForm, key)).status).toBe(200);
});

test('in flight for one account is free for another', async () => {
  const rig = await startRig();
  const { end } = await startSlowCharge(rig);
  const other = await rig.clientFor('sk_test_other').paymentIntents.create(charge, { idempotencyKey: 'k' });
  expect(other.status).toBe('succeeded');
  expect((await end()).json.id).not.toBe(other.id);
});

test('100 requests at once under one key: one effect, and everybody gets it or is told to wait', async () => {
  const { send, service } = await startRig();
  const answers = await Promise.all(Array.from({ length: 100 }, () => send('POST', intents, chargeForm, key)));
  expect(service.effects().charges).toHaveLength(1);
  const ids = answers.filter(({ status }) => status === 200).map(({ json }) => json.id);
  expect(new Set(ids)).toEqual(new Set([service.effects().charges[0]?.id]));
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
});

test('100 requests while the first takes its time: one effect, 99 are told that the key is in use', async () => {
  const rig = await startRig();
  const { end } = await startSlowCharge(rig);
  const answers = await Promise.all(Array.from({ length: 99 }, () => rig.send('POST', intents, chargeForm, key)));
  expect(answers.every(({ status }) => status === 409)).toBe(true);
  expect((await end()).status).toBe(200);
  expect(rig.service.effects().charges).toHaveLength(1);
});
