import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/activities/answer.js';
import { chargeOperation } from '../../src/activities/charge.js';
import { createStripe } from '../../src/activities/stripe-client.js';
import type { ChargeResult } from '../../src/plan/results.js';
import { endless, json, lost, nobodysWord, type Provider, type Script, startProvider } from './scripted-provider.js';

const key = 'ap1_0_do_a007c5a6e82d080dc1439d8a0268d061e8756d36f27c8e1acba19d0efb23a02f';
const secretKey = 'sk_test_51SecretSecretSecret';
const paid = {
  ...{ id: 'pi_3Mtw', object: 'payment_intent', status: 'succeeded', amount: 2500, currency: 'usd', livemode: false },
};

/** Short where only the client's own deadline ends the waiting; otherwise longer than a busy machine takes. */
const short = 1_000;
const long = 20_000;

const args = { amount: 2500, currency: 'usd', payment_method: 'pm_card_visa', metadata: { order: '1042' } };

const depsOf = ({ url }: Pick<Provider, 'url'>, requestTimeout = long) => ({
  stripe: createStripe({ secretKey, apiBase: url }),
  ...{ account: 'acct_1', requestTimeout, claim: { key, workflowId: 'order-1042', stepIndex: 0 } },
});

function charge(provider: Pick<Provider, 'url'>, requestTimeout?: number): Promise<Answer<ChargeResult>> {
  const operation = chargeOperation(depsOf(provider, requestTimeout), args);
  return operation.ask(operation.request, key);
}

/** Asks once, and makes sure that once is all that was asked. */
async function answerTo(script: Script, requestTimeout?: number): Promise<Answer<ChargeResult>> {
  const provider = await startProvider(script);
  const answer = await charge(provider, requestTimeout);
  expect(provider.requests).toHaveLength(1);
  const [request] = provider.requests;
  expect(request?.line).toBe('POST /v1/payment_intents');
  expect(request?.headers['idempotency-key']).toBe(key);
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toMatchObject({
    ...{ amount: '2500', currency: 'usd', payment_method: 'pm_card_visa', confirm: 'true' },
    ...{ error_on_requires_action: 'true', 'metadata[order]': '1042' },
    ...{ 'metadata[plan_key]': key, 'metadata[plan_workflow]': 'order-1042', 'metadata[plan_step]': '0' },
  });
  expect(JSON.stringify(answer)).not.toContain(secretKey);
  return answer;
}

const stripeError = (status: number, error: Record<string, string>, headers: Record<string, string> = {}): Script =>
  json(status, { error: { message: 'Reworded.', ...error } }, headers);

it.each([
  [500, true],
  [501, false],
])('a workflow id of %i characters is in the metadata: %s', (length, isThere) => {
  const deps = depsOf({ url: new URL('http://127.0.0.1:1') });
  const workflowId = 'w'.repeat(length);
  const { request } = chargeOperation({ ...deps, claim: { ...deps.claim, workflowId } }, args);
  expect(JSON.stringify(request).includes(`"plan_workflow":"${workflowId}"`)).toBe(isThere);
  expect(JSON.stringify(request)).toContain(`"plan_key":"${key}"`);
});

describe('a PaymentIntent', () => {
  it('that succeeded is a result', async () => {
    expect(await answerTo(json(200, paid))).toEqual({
      ...{ kind: 'succeeded', reference: 'pi_3Mtw', replayed: false },
      result: { id: 'pi_3Mtw', status: 'succeeded', amount: 2500, amount_formatted: '$25.00', currency: 'usd' },
    });
  });

  it('that Stripe gives again is the same result', async () => {
    const fresh = await answerTo(json(200, paid));
    const replay = await answerTo(json(200, paid, { 'idempotent-replayed': 'true' }));
    expect(replay).toEqual({ ...fresh, replayed: true });
  });

  it('that is being processed is not final', async () => {
    expect(await answerTo(json(200, { ...paid, status: 'processing' }))).toMatchObject({
      ...{ kind: 'not_final', reference: 'pi_3Mtw', error: { code: 'processing' } },
    });
  });

  it.each(['requires_action', 'requires_payment_method', 'requires_confirmation', 'canceled'])(
    'that is %s is not paid',
    async (status) => {
      expect(await answerTo(json(200, { ...paid, status }))).toMatchObject({
        kind: 'declined',
        error: { code: status },
      });
    },
  );

  it.each([
    ['made with a live key', { livemode: true }],
    ['without a mode', { livemode: undefined }],
    ['that is a charge', { object: 'charge' }],
    ['with the id of something else', { id: 'ch_1' }],
    ['with an id of any length', { id: `pi_${'x'.repeat(3000)}` }],
    ['without id', { id: undefined }],
    ['without amount', { amount: undefined }],
    ['without currency', { currency: undefined }],
  ])('%s is not what was asked for: nothing is known', async (_, change) => {
    expect(await answerTo(json(200, { ...paid, ...change }))).toMatchObject({ kind: 'ambiguous', replayed: false });
  });
});

describe('a charge', () => {
  it('carries its description', async () => {
    const provider = await startProvider(json(200, paid));
    const operation = chargeOperation(depsOf(provider), { ...args, description: 'Order 1042' });
    await operation.ask(operation.request, key);
    expect(new URLSearchParams(provider.requests[0]?.body).get('description')).toBe('Order 1042');
  });

  it('that is being processed is followed', async () => {
    const provider = await startProvider(json(200, paid));
    const operation = chargeOperation(depsOf(provider), args);
    expect(await operation.follow?.('pi_3Mtw', operation.request)).toMatchObject({ kind: 'succeeded' });
    expect(provider.requests.map(({ line }) => line)).toEqual(['GET /v1/payment_intents/pi_3Mtw']);
  });
});

describe("Stripe's own errors are told by status, type and code", () => {
  const invalid = { type: 'invalid_request_error' };

  it.each<[string, number, Record<string, string>, string]>([
    ['a wrong parameter', 400, { ...invalid, code: 'parameter_invalid_integer' }, 'refused'],
    ['an unknown object', 404, { ...invalid, code: 'resource_missing' }, 'refused'],
    ['another request under the key', 400, { type: 'idempotency_error' }, 'stuck'],
    ['a key in use', 409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }, 'stuck'],
    ['a key in use', 409, { ...invalid, code: 'idempotency_key_in_use' }, 'not_now'],
    ['too many requests', 429, { ...invalid, code: 'rate_limit' }, 'not_now'],
    ['too many requests, as 400', 400, { ...invalid, code: 'rate_limit' }, 'not_now'],
    ['a lock', 429, { ...invalid, code: 'lock_timeout' }, 'not_now'],
    ['a lock, as 400', 400, { ...invalid, code: 'lock_timeout' }, 'not_now'],
    ['a wrong API key', 401, invalid, 'not_now'],
    ['a missing permission', 403, invalid, 'not_now'],
    ['a breakdown', 500, { type: 'api_error' }, 'ambiguous'],
    ['a breakdown, as 503', 503, { type: 'api_error' }, 'ambiguous'],
    ['an error with 200', 200, { type: 'card_error', code: 'card_declined' }, 'ambiguous'],
  ])('%s (%d)', async (_, status, error, kind) => {
    expect(await answerTo(stripeError(status, error))).toMatchObject({ kind, replayed: false, error });
  });

  it('a declined card, with the bank’s reason', async () => {
    const error = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' };
    expect(await answerTo(stripeError(402, error))).toEqual({
      ...{ kind: 'declined', replayed: false, error: { ...error, message: 'Reworded.' } },
    });
  });

  it('a stored breakdown comes again for ever; a stored decline is a decline', async () => {
    const replayed = { 'idempotent-replayed': 'true' };
    expect(await answerTo(stripeError(500, { type: 'api_error' }, replayed))).toMatchObject({
      ...{ kind: 'stuck', replayed: true },
    });
    expect(await answerTo(stripeError(402, { type: 'card_error' }, replayed))).toMatchObject({
      ...{ kind: 'declined', replayed: true },
    });
  });

  it.each([
    ['7', 7_000],
    ['0.5', 500],
  ])('Retry-After: %s is honoured', async (value, retryAfter) => {
    const answer = await answerTo(stripeError(429, { type: 'invalid_request_error' }, { 'retry-after': value }));
    expect(answer).toMatchObject({ kind: 'not_now', retryAfter });
  });

  it.each(['0', '-1', 'soon', 'Wed, 21 Oct 2026 07:28:00 GMT', 'Infinity', '1e300'])(
    'Retry-After: %s is no reason to wait for ever',
    async (value) => {
      const answer = await answerTo(stripeError(429, { type: 'invalid_request_error' }, { 'retry-after': value }));
      expect(answer.kind === 'not_now' && (answer.retryAfter ?? 0)).toBeLessThanOrEqual(3_600_000);
    },
  );
});

describe('an answer that is lost leaves everything open', () => {
  it.each(Object.entries(lost))('%s', async (name, script) => {
    const answer = await answerTo(script(paid), endless.has(name) ? short : long);
    expect(answer).toMatchObject({ kind: 'ambiguous', replayed: false, error: { type: 'no_answer' } });
  });

  it.each(nobodysWord)('%s', async (_, script) => {
    expect(await answerTo(script)).toMatchObject({ kind: 'ambiguous', replayed: false });
  });

  it('nobody there', async () => {
    expect(await charge({ url: new URL('http://127.0.0.1:1') })).toMatchObject({ kind: 'ambiguous' });
  });
});

describe('what a provider quotes', () => {
  it('is free of keys and card numbers when it is passed on', async () => {
    const message = `Invalid key ${secretKey} or card 4242 4242 4242 4242, or card4242424242424242.`;
    const answer = await answerTo(stripeError(400, { type: 'invalid_request_error', message }));
    expect(answer).toMatchObject({ kind: 'refused' });
    expect(JSON.stringify(answer)).not.toMatch(/sk_test|4242/);
  });
});
