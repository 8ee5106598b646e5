import { expect, test, vi } from 'vitest';
import { chargeForm, startRig } from './rig.js';

const intents = '/v1/payment_intents';
const key = { 'Idempotency-Key': 'k' };

test('a 500 stored instead of the work: replayed for ever, and nothing was done', async () => {
  const { send, service, injectNext, answers } = await startRig();
  injectNext({ savedFailure: 'instead' });
  const first = await send('POST', intents, chargeForm, key);
  expect(first).toMatchObject({ status: 500, json: { error: { type: 'api_error' } } });
  expect(first.headers.get('stripe-should-retry')).toBe('false');
  const second = await send('POST', intents, chargeForm, key);
  expect(second.status).toBe(500);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.headers.get('stripe-should-retry')).toBe('false');
  expect(answers).toEqual(['executed', 'replayed']);
  expect(service.effects().charges).toEqual([]);
});

test('a 500 stored after the work: replayed for ever, and the charge is there', async () => {
  const { send, service, injectNext } = await startRig();
  injectNext({ savedFailure: 'after' });
  expect((await send('POST', intents, chargeForm, key)).status).toBe(500);
  expect((await send('POST', intents, chargeForm, key)).headers.get('idempotent-replayed')).toBe('true');
  expect(service.effects().charges).toMatchObject([{ key: 'k', amount: 2500, status: 'succeeded' }]);
});

test('after a stored 500 the official client does not send again, although it would after another 500', async () => {
  const { stripe, injectNext, answers } = await startRig();
  injectNext({ savedFailure: 'instead' });
  await expect(
    stripe.paymentIntents.create({ amount: 100, currency: 'usd' }, { idempotencyKey: 'k', maxNetworkRetries: 2 }),
  ).rejects.toMatchObject({ statusCode: 500 });
  expect(answers).toEqual(['executed']);
});

test('validation comes before execution, so an invalid request cannot have its failure stored', async () => {
  const { send, injectNext } = await startRig();
  injectNext({ savedFailure: 'after' });
  expect((await send('POST', intents, 'amount=abc', key)).status).toBe(400);
  expect((await send('POST', intents, chargeForm, key)).status).toBe(200);
});

test('the gateway hears of a commit inside its transaction, and a failing one takes the effect back', async () => {
  const { service } = await startRig();
  const complaint = vi.spyOn(console, 'error').mockReturnValue();
  const request = {
    method: 'POST',
    path: intents,
    query: '',
    headers: { authorization: 'Bearer sk_test_rig', 'idempotency-key': 'k' },
    body: Buffer.from(chargeForm),
  };
  const broken = await service.handle(request, {}, () => {
    throw new Error('the log could not be written');
  });
  expect(broken.status).toBe(500);
  expect(complaint).toHaveBeenCalledOnce();
  complaint.mockRestore();
  expect(service.effects().charges).toEqual([]);
  expect((await service.handle(request)).answer).toBe('executed');
  expect(service.effects().charges).toHaveLength(1);
});
