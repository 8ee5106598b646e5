import type { Resend } from 'resend';
import { expect, test } from 'vitest';
import { sandboxForTest } from '../rig.js';
import { answers, clientOf, raw, receipt } from './rig.js';

test.each([
  [{ headers: { authorization: '' } }, 401, 'missing_api_key'],
  [{ headers: { authorization: 'Bearer sk_test_x' } }, 403, 'invalid_api_key'],
  [{ headers: { authorization: 'Basic re_x' } }, 403, 'invalid_api_key'],
  [{ body: '{' }, 400, 'validation_error'],
  [{ body: '[]' }, 400, 'validation_error'],
  [{ body: `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}` }, 400, 'validation_error'],
  [{ body: '{"__proto__":{"to":"a@x.test"}}' }, 422, 'missing_required_field'],
  [{ body: JSON.stringify({ ...receipt, to: undefined }) }, 422, 'missing_required_field'],
  [{ body: JSON.stringify({ ...receipt, to: [] }) }, 422, 'missing_required_field'],
  [{ body: JSON.stringify({ ...receipt, text: undefined }) }, 422, 'missing_required_field'],
  [{ body: JSON.stringify({ ...receipt, to: 'nobody' }) }, 422, 'validation_error'],
  [{ body: JSON.stringify({ ...receipt, to: 7 }) }, 422, 'validation_error'],
  [{ body: JSON.stringify({ ...receipt, to: ['a@x.test', 'nobody'] }) }, 422, 'validation_error'],
  [{ body: JSON.stringify({ ...receipt, to: Array(51).fill('a@x.test') }) }, 422, 'validation_error'],
  [{ body: JSON.stringify({ ...receipt, to: 'a@x.test\nCc: b@x.test' }) }, 422, 'validation_error'],
  [{ body: JSON.stringify({ ...receipt, to: 'A\rB <a@x.test>' }) }, 422, 'validation_error'],
  [{ body: JSON.stringify({ ...receipt, from: 'shop@example.com, x@evil.test' }) }, 422, 'validation_error'],
  [{ body: JSON.stringify({ ...receipt, subject: 'Hi\r\nBcc: x@evil.test' }) }, 422, 'validation_error'],
  [{ body: JSON.stringify({ ...receipt, text: 7 }) }, 422, 'validation_error'],
  [{ method: 'PUT' }, 405, 'method_not_allowed'],
])('%j: %i %s, and the key stays free', async (init, statusCode, name) => {
  const sandbox = await sandboxForTest();
  const headers = { 'idempotency-key': 'k' };
  const answer = await raw(sandbox, { ...init, headers: { ...headers, ...('headers' in init ? init.headers : {}) } });
  expect(answer).toEqual([statusCode, { statusCode, name, message: expect.any(String) as string }]);
  expect(sandbox.effects().emails).toEqual([]);
  expect(answers(sandbox)).toEqual(['rejected']);
  expect(await raw(sandbox, { headers })).toMatchObject([200, {}]);
});

test('an unknown path: 404 not_found', async () => {
  const sandbox = await sandboxForTest();
  expect(await raw(sandbox, {}, '/domains')).toMatchObject([404, { name: 'not_found' }]);
});

test('the rate limit: 429 rate_limit_exceeded with Retry-After, and the key stays free', async () => {
  const sandbox = await sandboxForTest();
  sandbox.updateSettings({ rateLimit: 2 });
  const send = (key: string): ReturnType<Resend['emails']['send']> =>
    clientOf(sandbox).emails.send(receipt, { idempotencyKey: key });
  const sent = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(send));
  const refused = sent.filter(({ error }) => error !== null);
  // The six may fall into two seconds of the clock.
  expect(refused.length).toBeGreaterThanOrEqual(2);
  expect(refused[0]).toMatchObject({ error: { statusCode: 429, name: 'rate_limit_exceeded' } });
  expect(refused[0]?.headers?.['retry-after']).toBe('1');
  expect(sandbox.effects().emails).toHaveLength(6 - refused.length);
  sandbox.advanceClock(1_000);
  expect((await send('f')).error).toBeNull();
});
