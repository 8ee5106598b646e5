import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { FaultName } from '../../../src/sandbox/gateway/fault-names.js';
import type { ServiceName } from '../../../src/sandbox/gateway/fault-rule.js';
import { openWire, post, rawPost, startGateway, type Rig } from './rig.js';

/** Long enough for anything on loopback to have arrived. */
const quietMs = 300;

const fullBody = JSON.stringify({ id: 'pi_1', status: 'succeeded', number: 1 });

async function withFault(fault: FaultName, name: ServiceName = 'stripe'): Promise<Rig> {
  const rig = await startGateway({ name });
  rig.addFault({ fault });
  return rig;
}

/** After the fault, the next request is answered as if nothing had happened. */
async function expectHealthy(rig: Rig, number: number): Promise<void> {
  const response = await post(rig);
  expect([response.status, await response.json()]).toEqual([200, { id: 'pi_1', status: 'succeeded', number }]);
}

test.each(['429', '400-rate-limit', 'lock-timeout', '409'] as const)(
  '%s has the headers and the page that the service gives its own refusals',
  async (fault) => {
    const rig = await withFault(fault);
    const headers = { 'idempotency-key': 'k', 'stripe-version': '2024-06-20' };
    const response = await post(rig, 'k', { headers });
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    const { error } = (await response.json()) as { error: { code: string; doc_url: string } };
    expect(error.doc_url).toBe(`https://stripe.com/docs/error-codes/${error.code.replaceAll('_', '-')}`);
    const isLimit = fault === '429';
    expect(response.headers.get('stripe-rate-limited-reason')).toBe(isLimit ? 'global-rate' : null);
    // A read has no key, whatever it is sent with.
    rig.addFault({ fault, match: 'GET /charge' });
    const read = await fetch(`${rig.url}/charge`, { headers });
    expect([read.status, read.headers.get('idempotency-key')]).toEqual([response.status, null]);
  },
);

describe('the answer never comes', () => {
  test('drop: the effect is committed and the socket is closed without a byte', async () => {
    const rig = await withFault('drop');
    const wire = openWire(rig.port);
    wire.socket.write(rawPost('k'));
    await wire.ended;
    expect(wire.text()).toBe('');
    expect(rig.service.commits).toEqual(['k']);
    expect(rig.entries()).toMatchObject([{ key: 'k', answer: 'executed', status: null, fault: 'drop' }]);
    await expectHealthy(rig, 2);
  });

  test('hang: the effect is committed and the socket stays open without a byte', async () => {
    const rig = await withFault('hang');
    const wire = openWire(rig.port);
    wire.socket.write(rawPost('k'));
    await expect.poll(rig.entries).toMatchObject([{ answer: 'executed' }]);
    await wait(quietMs);
    expect(wire.text()).toBe('');
    expect(wire.socket.readyState).toBe('open');
    expect(rig.service.commits).toEqual(['k']);
    expect(rig.entries()).toMatchObject([{ answer: 'executed', status: null, fault: 'hang' }]);
    await expectHealthy(rig, 2);
  });
});

describe('the answer comes damaged', () => {
  test('502-after: a proxy speaks HTML although the effect is committed', async () => {
    const rig = await withFault('502-after');
    const response = await post(rig);
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await response.text()).toContain('<h1>502 Bad Gateway</h1>');
    expect(rig.service.commits).toEqual(['k']);
    expect(rig.entries()).toMatchObject([{ answer: 'executed', status: 502, fault: '502-after' }]);
  });

  test('truncate-clean: the framing is valid, the JSON is not', async () => {
    const rig = await withFault('truncate-clean');
    const response = await post(rig);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toBe(fullBody.slice(0, fullBody.length / 2));
    expect(response.headers.get('content-length')).toBe(String(text.length));
    await expectHealthy(rig, 2); // the same connection goes on
    expect(rig.entries()[0]).toMatchObject({ answer: 'executed', status: 200, fault: 'truncate-clean' });
  });

  test('truncate-length: the connection ends before Content-Length is reached', async () => {
    const rig = await withFault('truncate-length');
    const wire = openWire(rig.port);
    wire.socket.write(rawPost('k'));
    await wire.ended;
    const [head = '', body] = wire.text().split('\r\n\r\n');
    expect(head.toLowerCase()).toContain(`content-length: ${fullBody.length}`);
    expect(body).toBe(fullBody.slice(0, fullBody.length / 2));
    expect(rig.service.commits).toEqual(['k']);

    rig.addFault({ fault: 'truncate-length' });
    await expect(post(rig).then((response) => response.text())).rejects.toThrow('terminated');
  });

  test('truncate-stall: half of the body arrives, then nothing, on an open connection', async () => {
    const rig = await withFault('truncate-stall');
    const wire = openWire(rig.port);
    wire.socket.write(rawPost('k'));
    await wire.until((text) => text.endsWith(fullBody.slice(0, fullBody.length / 2)));
    const before = wire.text();
    await wait(quietMs);
    expect(wire.text()).toBe(before);
    expect(before.toLowerCase()).toContain(`content-length: ${fullBody.length}`);
    expect(wire.socket.readyState).toBe('open');
    expect(rig.entries()).toMatchObject([{ answer: 'executed', status: 200, fault: 'truncate-stall' }]);
  });

  test('empty-200: success without a body', async () => {
    const rig = await withFault('empty-200');
    const response = await post(rig);
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(rig.service.commits).toEqual(['k']);
  });

  test('trickle: a byte at a time, so that an idle time-out never fires', async () => {
    const rig = await withFault('trickle');
    const wire = openWire(rig.port);
    let bytes = 0;
    wire.socket.on('data', () => (bytes += 1));
    wire.socket.write(rawPost('k'));
    await expect.poll(() => bytes).toBeGreaterThanOrEqual(6);
    expect(wire.text()).toContain('\r\n1\r\n{\r\n1\r\n"\r\n1\r\ni\r\n');
    expect(wire.text().toLowerCase()).toContain('transfer-encoding: chunked');
    expect(rig.entries()).toMatchObject([{ answer: 'executed', status: 200, fault: 'trickle' }]);
  });
});

describe('the service is never reached', () => {
  const cases: [FaultName, 'stripe' | 'mail', number, object][] = [
    ['429', 'stripe', 429, { error: { type: 'invalid_request_error', code: 'rate_limit' } }],
    ['400-rate-limit', 'stripe', 400, { error: { type: 'invalid_request_error', code: 'rate_limit' } }],
    ['lock-timeout', 'stripe', 429, { error: { type: 'invalid_request_error', code: 'lock_timeout' } }],
    ['409', 'stripe', 409, { error: { type: 'invalid_request_error', code: 'idempotency_key_in_use' } }],
    ['429', 'mail', 429, { statusCode: 429, name: 'rate_limit_exceeded' }],
    ['400-rate-limit', 'mail', 400, { statusCode: 400, name: 'rate_limit_exceeded' }],
    ['lock-timeout', 'mail', 429, { statusCode: 429, name: 'rate_limit_exceeded' }],
    ['409', 'mail', 409, { statusCode: 409, name: 'concurrent_idempotent_requests' }],
    ['reject-422', 'mail', 422, { statusCode: 422, name: 'validation_error' }],
    ['409-mismatch', 'mail', 409, { statusCode: 409, name: 'invalid_idempotent_request' }],
  ];
  test.each(cases)("%s of %s: status %i in the provider's own shape", async (fault, name, status, body) => {
    const rig = await withFault(fault, name);
    const response = await post(rig);
    expect([response.status, await response.json()]).toMatchObject([status, body]);
    expect(rig.service.requests).toEqual([]);
    expect(rig.entries()).toMatchObject([{ service: name, answer: 'none', status, fault }]);
    await expectHealthy(rig, 1);
  });

  test('502-before: the same page as 502-after, and nothing has happened', async () => {
    const rig = await withFault('502-before');
    const response = await post(rig);
    expect([response.status, await response.text()]).toMatchObject([502, expect.stringContaining('502 Bad Gateway')]);
    expect(rig.service.requests).toEqual([]);
    expect(rig.entries()).toMatchObject([{ answer: 'none', status: 502, fault: '502-before' }]);
  });
});

describe('the service stores a failure', () => {
  test.each([
    ['500-saved', 0],
    ['500-saved-after', 1],
  ] as const)('%s: %i effects', async (fault, effects) => {
    const rig = await withFault(fault);
    expect((await post(rig)).status).toBe(500);
    expect(rig.service.commits).toHaveLength(effects);
    expect(rig.entries()).toMatchObject([{ answer: 'executed', status: 500, fault }]);
  });
});
