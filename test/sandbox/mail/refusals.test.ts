import type { Resend } from 'resend';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sandboxForTest } from '../rig.js';
import { answers, clientOf, raw, receipt } from './rig.js';

test.each([
  [{ headers: { authorization: '' } }, 401, 'missing_api_key'],
  [{ headers: { authorization: 'Bearer sk_test_x' } }, 401, 'validation_error'],
  [{ headers: { authorization: 'Basic re_x' } }, 400, 'validation_error'],
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
  [{ method: 'PUT' }, 501, 'not_implemented'],
])('%j: %i %s, and the key stays free', async (init, statusCode, name) => {
  const sandbox = await sandboxForTest();
  const headers = { 'idempotency-key': 'k' };
  const answer = await raw(sandbox, { ...init, headers: { ...headers, ...('headers' in init ? init.headers : {}) } });
  expect(answer).toEqual([statusCode, { statusCode, name, message: expect.any(String) as string }]);
  expect(sandbox.effects().emails).toEqual([]);
  expect(answers(sandbox)).toEqual(['rejected']);
  expect(await raw(sandbox, { headers })).toMatchObject([200, {}]);
});

test('a wrong API key: 401 from the endpoint that sends, 400 from the others', async () => {
  const sandbox = await sandboxForTest();
  const resend = clientOf(sandbox, 'wrong');
  const refusal = (statusCode: number): object => ({
    error: { statusCode, name: 'validation_error', message: 'API key is invalid' },
  });
  expect(await resend.emails.send(receipt)).toMatchObject(refusal(401));
  expect(await resend.emails.get('x')).toMatchObject(refusal(400));
});

const unmodelled: [string, (resend: Resend) => Promise<unknown>][] = [
  ['POST /emails/batch', (resend) => resend.batch.send([receipt])],
  ['PATCH /emails/x', (resend) => resend.emails.update({ id: 'x', scheduledAt: '2030-01-01T00:00:00Z' })],
  ['POST /emails/x/cancel', (resend) => resend.emails.cancel('x')],
  ['GET /emails', (resend) => resend.emails.list()],
  ['GET /domains', (resend) => resend.domains.list()],
];

test.each(unmodelled)('%s says that the sandbox does not model it', async (endpoint, call) => {
  const sandbox = await sandboxForTest();
  const message = `The sandbox does not model ${endpoint}: of Resend it has POST /emails and GET /emails/:id.`;
  expect(await call(clientOf(sandbox))).toMatchObject({
    data: null,
    error: { statusCode: 501, name: 'not_implemented', message },
  });
  expect(answers(sandbox)).toEqual(['rejected']);
});

const format = 'The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.';

test.each([
  [
    { template: { id: 'order-confirmation' }, subject: undefined, text: undefined },
    'The sandbox does not model templates',
  ],
  [{ template: { id: 'order-confirmation' } }, 'The sandbox does not model templates'],
  [{ to: Array(51).fill('a@x.test') }, 'Invalid `to` field. There can be at most 50 addresses.'],
  [{ cc: Array(51).fill('a@x.test') }, 'Invalid `cc` field. There can be at most 50 addresses.'],
  [{ subject: 5 }, 'The `subject` field must be a `string`.'],
  [{ subject: 'a\nb' }, 'The `\\n` is not allowed in the `subject` field.'],
  [{ text: 7 }, 'The `text` field must be a `string`.'],
  [{ to: [{ email: 'a@x.test' }] }, 'The `to` field must be a `string`.'],
  [{ from: ['a@x.test'] }, 'The `from` field must be a `string`.'],
  [{ to: 'x@.' }, `Invalid \`to\` field. ${format}`],
  [{ to: 'x@y' }, `Invalid \`to\` field. ${format}`],
  [{ to: 'x@y..co' }, `Invalid \`to\` field. ${format}`],
  [{ cc: ['a@x.test', 'a@b;c'] }, `Invalid \`cc\` field. ${format}`],
  [{ reply_to: 'a@x.test, b@x.test' }, `Invalid \`reply_to\` field. ${format}`],
  [{ to: 'José <josé@x.test>' }, 'Invalid `to` field. The email address contains non-ASCII characters.'],
])('%j: the message names the cause', async (change, message) => {
  const sandbox = await sandboxForTest();
  const [status, error] = await raw(sandbox, { body: JSON.stringify({ ...receipt, ...change }) });
  expect([status, error]).toMatchObject([422, { name: 'validation_error' }]);
  expect((error as { message: string }).message).toContain(message);
});

test.each([
  { cc: [], bcc: null },
  { to: 'José <jose@mail.x.test>', from: '"Shop, Inc." <shop+a_b@x-y.test>' },
  { to: Array(50).fill('a@x.test') },
])('%j is sent', async (change) => {
  const sandbox = await sandboxForTest();
  expect(await raw(sandbox, { body: JSON.stringify({ ...receipt, ...change }) })).toMatchObject([200, {}]);
});

test('the rate limit: 429 rate_limit_exceeded with Retry-After, and the key stays free', async () => {
  // The sandbox's clock goes by this one: here it stands still.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const sandbox = await sandboxForTest();
  sandbox.updateSettings({ rateLimit: 2 });
  const send = (key: string): ReturnType<Resend['emails']['send']> =>
    clientOf(sandbox).emails.send(receipt, { idempotencyKey: key });
  const sent = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(send));
  const refused = sent.filter(({ error }) => error !== null);
  expect(refused).toHaveLength(4);
  expect(refused[0]).toMatchObject({ error: { statusCode: 429, name: 'rate_limit_exceeded' } });
  expect(refused[0]?.headers?.['retry-after']).toBe('1');
  expect(sandbox.effects().emails).toHaveLength(2);
  sandbox.advanceClock(1_000);
  expect((await send('f')).error).toBeNull();
});
