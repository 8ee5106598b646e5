import { Resend } from 'resend';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { sandboxForTest, temporaryFolder } from '../rig.js';

const receipt = { from: 'Shop <shop@example.com>', to: 'ada@example.com', subject: 'Receipt', text: 'Thank you' };

const clientOf = (sandbox: Sandbox, apiKey = 're_test'): Resend => new Resend(apiKey, { baseUrl: sandbox.mailUrl });

/** What the official client cannot be made to send. */
async function raw(sandbox: Sandbox, init: RequestInit = {}, path = '/emails'): Promise<[number, unknown]> {
  const { headers, ...rest } = init;
  const response = await fetch(sandbox.mailUrl + path, {
    method: 'POST',
    body: JSON.stringify(receipt),
    ...rest,
    headers: { authorization: 'Bearer re_test', 'content-type': 'application/json', ...(headers as object) },
  });
  return [response.status, await response.json()];
}

const answers = (sandbox: Sandbox): string[] => sandbox.effects().requests.map(({ answer }) => answer);

describe('with the official client', () => {
  test('a message is sent, recorded as it was sent, and can be read back', async () => {
    const sandbox = await sandboxForTest();
    const resend = clientOf(sandbox);
    const sent = await resend.emails.send(receipt, { idempotencyKey: 'k' });
    const id = sent.data?.id;
    expect(sent.error).toBeNull();
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/);
    expect(sandbox.effects().emails).toEqual([
      { id, key: 'k', to: 'ada@example.com', subject: 'Receipt', text: 'Thank you', at: expect.any(String) as string },
    ]);
    expect((await resend.emails.get(id ?? '')).data).toMatchObject({
      object: 'email',
      id,
      from: receipt.from,
      to: ['ada@example.com'],
      last_event: 'delivered',
      html: null,
    });
    expect((await resend.emails.get('nobody')).error).toMatchObject({ statusCode: 404, name: 'not_found' });
  });

  test('several recipients stay a list', async () => {
    const sandbox = await sandboxForTest();
    await clientOf(sandbox).emails.send({ ...receipt, to: ['a@x.test', 'B <b@x.test>'], html: '<p>', text: '' });
    expect(sandbox.effects().emails).toMatchObject([{ to: ['a@x.test', 'B <b@x.test>'], key: null }]);
  });

  test.each(['drop', 'hang', '502-after', 'truncate-clean', 'empty-200'] as const)(
    '%s: sent again under its key, there is one message',
    async (fault) => {
      const sandbox = await sandboxForTest();
      const resend = clientOf(sandbox);
      sandbox.addFault({ service: 'mail', match: 'POST /emails', fault });
      const send = (signal?: AbortSignal): ReturnType<typeof resend.emails.send> =>
        resend.emails.send(receipt, { idempotencyKey: 'k', ...(signal && { signal }) });
      await send(AbortSignal.timeout(300)).then(
        ({ data, error }) => expect([data, error?.name]).toEqual([null, 'application_error']),
        (error: Error) => expect(error.name).toBe('TimeoutError'),
      );
      const [email] = sandbox.effects().emails;
      expect((await send()).data).toEqual({ id: email?.id });
      expect(sandbox.effects().emails).toHaveLength(1);
      expect(answers(sandbox)).toEqual(['executed', 'replayed']);
    },
  );
});

describe('idempotency keys', () => {
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
    sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'slow', delayMs: 400 });
    const first = raw(sandbox, { headers });
    await expect.poll(() => sandbox.effects().requests).toHaveLength(1);
    const inFlight = [409, { statusCode: 409, name: 'concurrent_idempotent_requests' }];
    expect(await raw(sandbox, { headers })).toMatchObject(inFlight);
    // Nothing is saved yet that another body could differ from.
    expect(await raw(sandbox, { headers, body: JSON.stringify({ ...receipt, subject: 'B' }) })).toMatchObject(inFlight);
    expect(await raw(sandbox, { headers: { 'idempotency-key': 'other' } })).toMatchObject([200, {}]);
    expect(await raw(sandbox, { headers })).toMatchObject(inFlight);
    expect(await raw(sandbox, { headers }).then(() => first)).toMatchObject([200, {}]);
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
    for (const _ of [1, 2]) await raw(sandbox, { headers: { 'idempotency-key': 'k' } });
    expect(sandbox.effects().emails).toMatchObject([{ key: 'k' }, { key: 'k' }]);
    expect(answers(sandbox)).toEqual(['executed', 'executed']);
  });

  test.each([
    ['500-saved', 0],
    ['500-saved-after', 1],
  ] as const)('%s: the 500 is replayed, %i messages', async (fault, emails) => {
    const sandbox = await sandboxForTest();
    sandbox.addFault({ service: 'mail', match: 'POST /emails', fault });
    for (const _ of [1, 2]) {
      const answer = await raw(sandbox, { headers: { 'idempotency-key': 'k' } });
      expect(answer).toMatchObject([500, { statusCode: 500, name: 'internal_server_error' }]);
    }
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
});

describe('refusals', () => {
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
});
