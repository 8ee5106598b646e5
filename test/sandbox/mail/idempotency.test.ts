import { expect, test } from 'vitest';
import { untilReleased } from '../../rig/held-delays.js';
import { sandboxForTest, temporaryFolder } from '../rig.js';
import { answers, clientOf, raw, receipt } from './rig.js';

test('same body, same id; the order of the fields is free', async () => {
  const sandbox = await sandboxForTest();
  const headers = { 'idempotency-key': 'k' };
  const { from, to, subject, text } = receipt;
  const first = await raw(sandbox, { headers });
  expect(await raw(sandbox, { headers, body: JSON.stringify({ text, subject, to, from }) })).toEqual(first);
  expect(sandbox.effects().emails).toHaveLength(1);
});

test('another body: 409 invalid_idempotent_request, for ever, and nothing is sent', async () => {
  const sandbox = await sandboxForTest();
  const headers = { 'idempotency-key': 'k' };
  await raw(sandbox, { headers });
  for (const change of [{ subject: 'Other' }, { tags: [{ name: 'a', value: 'b' }] }]) {
    const answer = await raw(sandbox, { headers, body: JSON.stringify({ ...receipt, ...change }) });
    expect(answer).toMatchObject([409, { statusCode: 409, name: 'invalid_idempotent_request' }]);
  }
  expect(sandbox.effects().emails).toHaveLength(1);
  expect(answers(sandbox)).toEqual(['executed', 'mismatch', 'mismatch']);
});

test('in flight: 409 concurrent_idempotent_requests, then the first answer', async () => {
  const sandbox = await sandboxForTest();
  const headers = { 'idempotency-key': 'k' };
  sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'slow', delayMs: untilReleased });
  const first = raw(sandbox, { headers });
  await expect.poll(() => sandbox.effects().requests).toHaveLength(1);
  const inFlight = [409, { statusCode: 409, name: 'concurrent_idempotent_requests' }];
  expect(await raw(sandbox, { headers })).toMatchObject(inFlight);
  // Nothing is saved yet that another body could differ from.
  expect(await raw(sandbox, { headers, body: JSON.stringify({ ...receipt, subject: 'B' }) })).toMatchObject(inFlight);
  expect(await raw(sandbox, { headers: { 'idempotency-key': 'other' } })).toMatchObject([200, {}]);
  expect(await raw(sandbox, { headers })).toMatchObject(inFlight);
  await sandbox.release();
  expect(await first).toMatchObject([200, {}]);
  expect(await raw(sandbox, { headers })).toEqual(await first);
  expect(sandbox.effects().emails).toHaveLength(2);
});

test.each([
  ['', 400],
  ['x', 200],
  ['x'.repeat(256), 200],
  ['x'.repeat(257), 400],
])('key %j: %i', async (key, status) => {
  const sandbox = await sandboxForTest();
  const answer = await raw(sandbox, { headers: { 'idempotency-key': key } });
  expect(answer[0]).toBe(status);
  if (status === 400) expect(answer[1]).toMatchObject({ statusCode: 400, name: 'invalid_idempotency_key' });
  expect(sandbox.effects().emails).toHaveLength(status === 200 ? 1 : 0);
});

test('a key is forgotten after 24 hours, not earlier, and never with neverPrune', async () => {
  const sandbox = await sandboxForTest();
  const headers = { 'idempotency-key': 'k' };
  const hour = 3_600_000;
  const count = async (): Promise<number> => {
    await raw(sandbox, { headers });
    return sandbox.effects().emails.length;
  };
  expect(await count()).toBe(1);
  sandbox.advanceClock(23.9 * hour);
  expect(await count()).toBe(1);
  sandbox.advanceClock(0.2 * hour);
  expect(await count()).toBe(2);
  sandbox.updateSettings({ neverPrune: true });
  sandbox.advanceClock(1_000 * hour);
  expect(await count()).toBe(2);
});

test('keys of two API keys are apart', async () => {
  const sandbox = await sandboxForTest();
  await clientOf(sandbox, 're_one').emails.send(receipt, { idempotencyKey: 'k' });
  const other = await clientOf(sandbox, 're_two').emails.send({ ...receipt, subject: 'B' }, { idempotencyKey: 'k' });
  expect(other.error).toBeNull();
  expect(sandbox.effects().emails).toHaveLength(2);
});

test('ignoreKeys: a provider without keys sends each time, and the keys are still on record', async () => {
  const sandbox = await sandboxForTest();
  sandbox.updateSettings({ ignoreKeys: true });
  await raw(sandbox, { headers: { 'idempotency-key': 'k' } });
  await raw(sandbox, { headers: { 'idempotency-key': 'k' } });
  expect(sandbox.effects().emails).toMatchObject([{ key: 'k' }, { key: 'k' }]);
  expect(answers(sandbox)).toEqual(['executed', 'executed']);
});

test.each([
  ['500-saved', 0],
  ['500-saved-after', 1],
] as const)('%s: the 500 is replayed, %i messages', async (fault, emails) => {
  const sandbox = await sandboxForTest();
  sandbox.addFault({ service: 'mail', match: 'POST /emails', fault });
  const first = await raw(sandbox, { headers: { 'idempotency-key': 'k' } });
  expect(first).toMatchObject([500, { statusCode: 500, name: 'internal_server_error' }]);
  expect(await raw(sandbox, { headers: { 'idempotency-key': 'k' } })).toEqual(first);
  expect(sandbox.effects().emails).toHaveLength(emails);
  expect(answers(sandbox)).toEqual(['executed', 'replayed']);
});

test('a restart forgets neither messages nor keys', async () => {
  const database = `${temporaryFolder()}/deeper/sandbox.db`;
  const headers = { 'idempotency-key': 'k' };
  const before = await sandboxForTest({ database });
  const first = await raw(before, { headers });
  before.advanceClock(3_600_000);
  await before.close();
  const after = await sandboxForTest({ database });
  expect(await raw(after, { headers })).toEqual(first);
  expect(after.effects().emails).toHaveLength(1);
  expect(answers(after)).toEqual(['executed', 'replayed']);
  const [one, two] = after.effects().requests.map(({ at }) => Date.parse(at));
  expect((two ?? 0) - (one ?? 0)).toBeGreaterThanOrEqual(3_600_000);
});
