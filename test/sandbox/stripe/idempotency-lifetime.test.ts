import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { charge, chargeForm, startRig } from './rig.js';

const intents = '/v1/payment_intents';
const key = { 'Idempotency-Key': 'k' };
const hour = 60 * 60 * 1000;

test('a key is remembered for 24 hours and then starts a new request', async () => {
  const { send, service, clock } = await startRig();
  const first = await send('POST', intents, chargeForm, key);
  clock.advance(23.9 * hour);
  expect((await send('POST', intents, chargeForm, key)).json.id).toBe(first.json.id);
  clock.advance(0.2 * hour);
  const late = await send('POST', intents, chargeForm, key);
  expect(late.json.id).not.toBe(first.json.id);
  expect(late.headers.get('idempotent-replayed')).toBeNull();
  expect(service.effects().charges.map(({ key }) => key)).toEqual(['k', 'k']);
});

test('a pruned key takes other parameters', async () => {
  const { send, clock } = await startRig();
  await send('POST', intents, chargeForm, key);
  clock.advance(25 * hour);
  expect((await send('POST', intents, chargeForm.replace('2500', '2600'), key)).json.amount).toBe(2600);
});

test('Stripe may prune, it need not', async () => {
  const { send, service, clock, settings } = await startRig();
  settings.update({ neverPrune: true });
  await send('POST', intents, chargeForm, key);
  clock.advance(1000 * hour);
  expect((await send('POST', intents, chargeForm, key)).headers.get('idempotent-replayed')).toBe('true');
  expect(service.effects().charges).toHaveLength(1);
});

test('times are those of the sandbox clock', async () => {
  const { stripe, service, clock } = await startRig();
  clock.advance(48 * hour);
  const intent = await stripe.paymentIntents.create(charge);
  expect(Math.abs(intent.created * 1000 - clock.now())).toBeLessThan(5000);
  expect(service.effects().charges[0]?.at.slice(0, 13)).toBe(new Date(clock.now()).toISOString().slice(0, 13));
});

test('a restart remembers effects, objects and saved answers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const before = await startRig(join(folder, 'sandbox.db'));
  const first = await before.send('POST', intents, chargeForm, key);
  const effects = before.service.effects();
  await before.stop();

  const after = await startRig(join(folder, 'sandbox.db'));
  expect(after.service.effects()).toEqual(effects);
  const replay = await after.send('POST', intents, chargeForm, key);
  expect(replay.text).toBe(first.text);
  expect(replay.headers.get('original-request')).toBe(first.headers.get('request-id'));
  expect(after.service.effects().charges).toHaveLength(1);
});

test('a reset forgets objects and keys', async () => {
  const { send, service, stripe } = await startRig();
  await send('POST', intents, chargeForm, key);
  service.reset();
  expect(service.effects()).toEqual({ charges: [], refunds: [] });
  expect((await stripe.paymentIntents.list()).data).toEqual([]);
  expect((await send('POST', intents, chargeForm.replace('2500', '2600'), key)).json.amount).toBe(2600);
});
