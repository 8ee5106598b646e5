import { expect, test } from 'vitest';
import { chargeForm, startRig } from './rig.js';

const intents = '/v1/payment_intents';
const keyed = (key: string): Record<string, string> => ({ 'Idempotency-Key': key });

test('what fails validation is not saved: the corrected request may use the same key', async () => {
  const { send, service, answers } = await startRig();
  const wrong = await send('POST', intents, `${chargeForm}&wat=1`, keyed('k'));
  expect(wrong.json.error?.code).toBe('parameter_unknown');
  const right = await send('POST', intents, chargeForm, keyed('k'));
  expect(right.status).toBe(200);
  expect(right.headers.get('idempotent-replayed')).toBeNull();
  expect(answers).toEqual(['rejected', 'executed']);
  expect(service.effects().charges).toHaveLength(1);
});

test.each([
  ['too little in the currency that is named', 'amount=60&currency=jpy', 'amount=49&currency=jpy'],
  ['a step that the currency does not have', 'amount=1000&currency=kwd', 'amount=1001&currency=kwd'],
  ['too little in any currency', 'amount=200', 'amount=1'],
  ['too much in any currency', 'amount=200', `amount=${'9'.repeat(13)}`],
])('an update that is wrong by itself is not saved: %s', async (_what, right, wrong) => {
  const { send, stripe, answers } = await startRig();
  const { id } = await stripe.paymentIntents.create({ amount: 100, currency: 'usd' });
  expect((await send('POST', `${intents}/${id}`, wrong, keyed('k'))).status).toBe(400);
  expect((await send('POST', `${intents}/${id}`, right, keyed('k'))).status).toBe(200);
  expect(answers).toEqual(['executed', 'rejected', 'executed']);
});

test.each([
  ['too little in the currency that it has', 'amount=40', ''],
  ['a currency in which its amount is too little', 'currency=mxn', ''],
  ['no return_url, which only some need', 'payment_method=pm_card_visa', '/confirm'],
])('an update or confirmation that is wrong only for this PaymentIntent is saved: %s', async (_what, form, action) => {
  const { send, stripe, answers } = await startRig();
  const { id } = await stripe.paymentIntents.create({ amount: 100, currency: 'usd' });
  const once = () => send('POST', `${intents}/${id}${action}`, form, keyed('k'));
  expect([(await once()).status, (await once()).status]).toEqual([400, 400]);
  expect(answers).toEqual(['executed', 'executed', 'replayed']);
});

test('a 401 is not saved', async () => {
  const { send, service } = await startRig();
  const refused = await send('POST', intents, chargeForm, { ...keyed('k'), Authorization: 'Bearer nonsense' });
  expect(refused.status).toBe(401);
  expect((await send('POST', intents, chargeForm, keyed('k'))).headers.get('idempotent-replayed')).toBeNull();
  expect(service.effects().charges).toHaveLength(1);
});
