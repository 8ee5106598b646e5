import { Resend } from 'resend';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/activities/answer.js';
import { emailOperation } from '../../src/activities/email.js';
import type { EmailResult } from '../../src/plan/results.js';
import { endless, json, lost, nobodysWord, type Provider, type Script, startProvider } from './scripted-provider.js';

const key = 'ap1_1_do_41fce248c8b2ae1bce88523c59d5032508b6663b9eb12190e7a50efc1c80de5a';
const apiKey = 're_SecretSecret_123';
const sent = { id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' };

/** Short where only the client's own deadline ends the waiting; otherwise longer than a busy machine takes. */
const short = 200;
const long = 20_000;

function mail(provider: Pick<Provider, 'url'>, requestTimeout = long): Promise<Answer<EmailResult>> {
  const resend = new Resend(apiKey, { baseUrl: provider.url.origin });
  const operation = emailOperation(
    { resend, from: 'Shop <orders@example.com>', requestTimeout },
    { to: 'ada@example.com', subject: 'Receipt', text: 'We charged $25.00.' },
  );
  return operation.ask(operation.request, key);
}

/** Asks once, and makes sure that once is all that was asked. */
async function answerTo(script: Script, requestTimeout?: number): Promise<Answer<EmailResult>> {
  const provider = await startProvider(script);
  const answer = await mail(provider, requestTimeout);
  expect(provider.requests).toHaveLength(1);
  const [request] = provider.requests;
  expect(request?.line).toBe('POST /emails');
  expect(request?.headers['idempotency-key']).toBe(key);
  expect(JSON.parse(request?.body ?? '')).toEqual({
    ...{ from: 'Shop <orders@example.com>', to: 'ada@example.com', subject: 'Receipt', text: 'We charged $25.00.' },
  });
  expect(JSON.stringify(answer)).not.toContain(apiKey);
  return answer;
}

const resendError = (statusCode: number, name: string, headers: Record<string, string> = {}): Script =>
  json(statusCode, { statusCode, name, message: 'Reworded.' }, headers);

describe('an e-mail', () => {
  it('that was accepted is a result', async () => {
    expect(await answerTo(json(200, sent))).toEqual({
      ...{ kind: 'succeeded', reference: sent.id, replayed: false, result: { id: sent.id, status: 'sent' } },
    });
  });

  it.each([
    ['no id', { object: 'email' }],
    ['an empty id', { id: '' }],
    ['a number as id', { id: 7 }],
    ['an id with a line break', { id: 'a\r\nBcc: x@evil.test' }],
    ['an id of any length', { id: 'x'.repeat(3000) }],
  ])('with %s may have been sent', async (_, body) => {
    expect(await answerTo(json(200, body))).toMatchObject({ kind: 'ambiguous' });
  });
});

describe("Resend's own errors are told by status and name", () => {
  it.each([
    [400, 'validation_error', 'refused'],
    [400, 'invalid_idempotency_key', 'refused'],
    [422, 'missing_required_field', 'refused'],
    [422, 'validation_error', 'refused'],
    [403, 'validation_error', 'refused'],
    [401, 'validation_error', 'not_now'],
    [401, 'missing_api_key', 'not_now'],
    [401, 'restricted_api_key', 'not_now'],
    [403, 'invalid_api_key', 'not_now'],
    [409, 'concurrent_idempotent_requests', 'not_now'],
    [409, 'invalid_idempotent_request', 'stuck'],
    [429, 'rate_limit_exceeded', 'not_now'],
    [429, 'daily_quota_exceeded', 'not_now'],
    [500, 'internal_server_error', 'ambiguous'],
    [500, 'application_error', 'ambiguous'],
  ])('%d %s', async (status, name, kind) => {
    expect(await answerTo(resendError(status, name))).toMatchObject({ kind, error: { message: 'Reworded.' } });
  });

  it('Retry-After is honoured', async () => {
    const answer = await answerTo(resendError(429, 'rate_limit_exceeded', { 'retry-after': '7' }));
    expect(answer).toMatchObject({ kind: 'not_now', retryAfter: 7_000 });
  });
});

describe('an answer that is lost leaves everything open', () => {
  it.each(Object.entries(lost))('%s', async (name, script) => {
    const answer = await answerTo(script(sent), endless.has(name) ? short : long);
    expect(answer).toMatchObject({ kind: 'ambiguous', replayed: false, error: { type: 'no_answer' } });
  });

  it.each(nobodysWord)('%s', async (_, script) => {
    expect(await answerTo(script)).toMatchObject({ kind: 'ambiguous', replayed: false });
  });

  it('an error that is cut, or hangs half-way', async () => {
    const stalled: Script = (response) => {
      response.writeHead(422, { 'content-type': 'application/json' }).write('{"statusCode":422,"name":"valid');
    };
    expect(await answerTo(stalled, short)).toMatchObject({ kind: 'ambiguous', error: { type: 'no_answer' } });
  });

  it('nobody there', async () => {
    expect(await mail({ url: new URL('http://127.0.0.1:1') })).toMatchObject({ kind: 'ambiguous' });
  });
});

it('what Resend quotes is free of keys and card numbers when it is passed on', async () => {
  const message = `API key ${apiKey}, Bearer ${apiKey}; text: 4242-4242-4242-4242`;
  const answer = await answerTo(json(422, { statusCode: 422, name: 'validation_error', message }));
  expect(answer).toMatchObject({ kind: 'refused' });
  expect(JSON.stringify(answer)).not.toMatch(/re_Secret|4242/);
});
