import { describe, expect, onTestFinished, test } from 'vitest';
import { trustedHosts } from '../../../src/sandbox/control/origin.js';
import { createControl } from '../../../src/sandbox/control/server.js';
import { listen, shut } from '../../../src/sandbox/listen.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { untilReleased } from '../../rig/held-delays.js';
import { sandboxForTest } from '../rig.js';
import { call, charge, drop, mail } from './rig.js';

describe('effects', () => {
  test('the truth about a lost answer, by HTTP and in process', async () => {
    const sandbox = await sandboxForTest();
    expect(await call(sandbox, 'POST', '/faults', drop)).toMatchObject([201, { ...drop, times: 1, used: 0 }]);
    expect([await charge(sandbox, 'k'), await charge(sandbox, 'k'), await mail(sandbox, 'm')]).toEqual([0, 200, 200]);

    const [status, effects] = await call(sandbox, 'GET', '/effects');
    expect(status).toBe(200);
    expect(effects).toEqual(sandbox.effects());
    expect(effects).toMatchObject({
      charges: [{ key: 'k', amount: 2500, amount_refunded: 0, currency: 'usd', status: 'succeeded' }],
      refunds: [],
      emails: [{ key: 'm', to: 'b@x.test' }],
      requests: [
        {
          service: 'stripe',
          method: 'POST',
          path: '/v1/payment_intents',
          key: 'k',
          answer: 'executed',
          status: null,
          fault: 'drop',
        },
        { service: 'stripe', key: 'k', answer: 'replayed', status: 200, fault: null },
        { service: 'mail', method: 'POST', path: '/emails', key: 'm', answer: 'executed', status: 200, fault: null },
      ],
    });
    expect(JSON.stringify(effects)).not.toMatch(/sk_test|re_secret|bearer/i);
  });

  test.each([
    ['no key', '', 401],
    ['a live key', 'Bearer sk_live_x', 401],
  ])('%s is refused and logged as such', async (_, authorization, status) => {
    const sandbox = await sandboxForTest();
    expect(await charge(sandbox, 'k', authorization)).toBeGreaterThanOrEqual(status);
    expect(sandbox.effects()).toMatchObject({ charges: [], requests: [{ answer: 'rejected' }] });
  });
});

test('the clock: keys are pruned after it was put forward', async () => {
  const sandbox = await sandboxForTest();
  await charge(sandbox, 'k');
  const [status, answer] = await call(sandbox, 'POST', '/clock', { advance: '25h' });
  expect(status).toBe(200);
  const ahead = Date.parse((answer as { now: string }).now) - Date.now();
  expect(Math.round(ahead / 3_600_000)).toBe(25);
  await charge(sandbox, 'k');
  expect(sandbox.effects().charges.map(({ key }) => key)).toEqual(['k', 'k']);
});

test.each([
  {},
  { advance: '25' },
  { advance: '-1h' },
  { advance: '1w' },
  { advance: '99999d' },
  { advance: null },
  { advance: '1h', x: 1 },
])('the clock refuses %j', async (body) => {
  const sandbox = await sandboxForTest();
  expect(await call(sandbox, 'POST', '/clock', body)).toMatchObject([400, { error: {} }]);
});

test('settings: each can be changed alone, and what is wrong is refused', async () => {
  const sandbox = await sandboxForTest();
  const defaults = { ignoreKeys: false, rateLimit: 0, searchLag: '60000ms', neverPrune: false };
  expect(await call(sandbox, 'POST', '/settings', {})).toEqual([200, defaults]);
  const changed = { ...defaults, searchLag: '0ms' };
  expect(await call(sandbox, 'POST', '/settings', { searchLag: '0s' })).toEqual([200, changed]);
  const all = { ignoreKeys: true, rateLimit: 25, searchLag: '90s', neverPrune: true };
  expect(await call(sandbox, 'POST', '/settings', all)).toEqual([200, { ...all, searchLag: '90000ms' }]);
  // Switched on, without a number: what Stripe lets through in test mode.
  expect(await call(sandbox, 'POST', '/settings', { rateLimit: true })).toMatchObject([200, { rateLimit: 25 }]);
  for (const [field, value] of Object.entries({ rateLimit: -1, searchLag: 'soon', ignoreKeys: 1, neverPrune: null })) {
    expect(await call(sandbox, 'POST', '/settings', { [field]: value })).toMatchObject([400, { error: { field } }]);
  }
  expect(await call(sandbox, 'POST', '/settings', { rateLimits: 1 })).toMatchObject([
    400,
    { error: { field: 'rateLimits' } },
  ]);
});

test('reset: effects, keys, requests, faults, clock and settings', async () => {
  const sandbox = await sandboxForTest();
  await charge(sandbox, 'k');
  await mail(sandbox, 'm');
  sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'hang', times: 'always' });
  sandbox.advanceClock(3_600_000);
  sandbox.updateSettings({ ignoreKeys: true });
  expect(await call(sandbox, 'POST', '/reset')).toEqual([200, { ok: true }]);
  expect(sandbox.effects()).toEqual({ charges: [], refunds: [], emails: [], requests: [] });
  expect(sandbox.faults()).toEqual([]);
  // The keys are free again, and are keys again.
  expect([await charge(sandbox, 'k'), await mail(sandbox, 'm')]).toEqual([200, 200]);
  expect([await charge(sandbox, 'k'), await mail(sandbox, 'm')]).toEqual([200, 200]);
  const { charges, emails, requests } = sandbox.effects();
  expect([charges.length, emails.length]).toEqual([1, 1]);
  expect(Math.abs(Date.parse(requests[0]?.at ?? '') - Date.now())).toBeLessThan(60_000);
});

test.each([
  ['stripe', 'POST /v1/payment_intents', charge],
  ['mail', 'POST /emails', mail],
] as const)('reset: a request on its way leaves nothing behind (%s)', async (service, match, send) => {
  const sandbox = await sandboxForTest();
  sandbox.addFault({ service, match, fault: 'slow', delayMs: untilReleased });
  const overtaken = send(sandbox, 'k').catch(() => 0);
  await expect.poll(() => sandbox.effects().requests).toHaveLength(1);
  sandbox.reset();
  // Not in flight any more.
  expect(await send(sandbox, 'k')).toBe(200);
  await sandbox.release();
  expect(await overtaken).toBe(0);
  const { charges, emails, requests } = sandbox.effects();
  expect([charges.length + emails.length, requests.length]).toEqual([1, 1]);
  expect(await send(sandbox, 'k')).toBe(200);
});

describe('keys with more than one effect', () => {
  const repeated = async (sandbox: Sandbox): Promise<unknown> =>
    ((await call(sandbox, 'GET', '/overview'))[1] as { totals: { repeatedKeys: unknown } }).totals.repeatedKeys;

  test('the same key of another account or service is another key', async () => {
    const sandbox = await sandboxForTest();
    await charge(sandbox, 'k', 'Bearer sk_test_a');
    await charge(sandbox, 'k', 'Bearer sk_test_b');
    await mail(sandbox, 'k');
    expect(await repeated(sandbox)).toEqual([]);
  });

  test.each([
    ['charges', charge],
    ['e-mails', mail],
  ] as const)('two %s are told', async (_, send) => {
    const sandbox = await sandboxForTest();
    sandbox.updateSettings({ ignoreKeys: true });
    await send(sandbox, 'k');
    await send(sandbox, 'k');
    expect(await repeated(sandbox)).toEqual(['k']);
  });
});

test('the page is told the start of a long body, a program all of it', async () => {
  const sandbox = await sandboxForTest();
  const text = `x${'é'.repeat(1_500)}`;
  const shown = `x${'é'.repeat(999)}…`;
  await fetch(sandbox.stripeUrl, { method: 'POST', body: text });
  await mail(sandbox, 'm', text);
  const [, overview] = await call(sandbox, 'GET', '/overview');
  expect(overview).toMatchObject({ requests: [{}, { body: shown }], emails: [{ text: shown }] });
  expect(sandbox.effects()).toMatchObject({ requests: [{ body: text }, {}], emails: [{ text }] });
});

test('an answer that is too long to be written is an error, not the end of the process', async () => {
  const tooLong = {
    toJSON: () => {
      throw new RangeError('Invalid string length');
    },
  };
  const logged: unknown[] = [];
  const server = createControl({
    routes: { 'GET /effects': () => ({ body: tooLong }) },
    trusted: trustedHosts('127.0.0.1', []),
    log: (_, details) => logged.push(details),
  });
  onTestFinished(() => shut(server));
  const port = await listen(server, '127.0.0.1', 0, 'test');
  expect((await fetch(`http://127.0.0.1:${port}/effects`)).status).toBe(500);
  expect(logged).toEqual([{ error: 'RangeError: Invalid string length' }]);
});

test('health, unknown paths, wrong methods and oversized bodies', async () => {
  const sandbox = await sandboxForTest();
  expect(await call(sandbox, 'GET', '/health')).toMatchObject([200, { ok: true }]);
  expect(await call(sandbox, 'GET', '/nothing')).toMatchObject([404, { error: {} }]);
  expect(await call(sandbox, 'GET', '/constructor')).toMatchObject([404, { error: {} }]);
  expect(await call(sandbox, 'PUT', '/faults')).toMatchObject([
    405,
    { error: { message: expect.stringContaining('GET, POST, DELETE') as string } },
  ]);
  expect(await call(sandbox, 'POST', '/faults', 'x'.repeat(2_000_000))).toMatchObject([413, { error: {} }]);
});
