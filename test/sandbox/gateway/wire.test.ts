import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { untilReleased } from '../../rig/held-delays.js';
import { openWire, post, rawPost, startGateway } from './rig.js';

const occurrences = (text: string, what: string): number => text.split(what).length - 1;

test('the body is logged exactly as received, NUL bytes and all, and no secret is kept', async () => {
  const rig = await startGateway();
  const body = 'a=1\u0000&b=☃&authorization=none\r\n';
  await post(rig, 'k', { body });
  expect(rig.entries()).toMatchObject([{ method: 'POST', path: '/charge', key: 'k', body, answer: 'executed' }]);
  expect(rig.service.requests[0]?.body.toString()).toBe(body);
  expect(JSON.stringify(rig.entries())).not.toContain('sk_test_secret');
});

test('pipelined requests are answered in order, one at a time', async () => {
  const rig = await startGateway();
  rig.addFault({ fault: 'late', delayMs: untilReleased });
  const wire = openWire(rig.port);
  wire.socket.write(rawPost('a') + rawPost('b') + rawPost('c'));
  await expect.poll(() => rig.service.commits).toEqual(['a']);
  await rig.release();
  const text = await wire.until((received) => received.includes('"number":3'));
  expect(rig.service.commits).toEqual(['a', 'b', 'c']);
  expect(text.indexOf('"number":1')).toBeLessThan(text.indexOf('"number":2'));
});

test.each(['truncate-clean', 'empty-200', '502-after', '502-before', 'late', 'slow', '429'] as const)(
  '%s leaves the connection good: the next request on it is answered, and in the log',
  async (fault) => {
    const rig = await startGateway();
    rig.addFault({ fault });
    const wire = openWire(rig.port);
    wire.socket.write(rawPost('a'));
    await wire.until((received) => received.includes('\r\n\r\n'));
    wire.socket.write(rawPost('b'));
    await wire.until((received) => occurrences(received, 'HTTP/1.1 ') === 2);
    expect(rig.entries().map(({ key }) => key)).toEqual(['a', 'b']);
    expect(rig.service.commits).toContain('b');
  },
);

test('a dropped pipelined request does not take the answer before it along', async () => {
  const rig = await startGateway();
  rig.addFault({ fault: 'drop', skip: 1 });
  const wire = openWire(rig.port);
  wire.socket.write(rawPost('a') + rawPost('b') + rawPost('c'));
  await wire.ended;
  expect(occurrences(wire.text(), 'HTTP/1.1 200')).toBe(1);
  expect(rig.service.commits).toEqual(['a', 'b']);
});

test('a flood of pipelined requests behind one that hangs is cut off', async () => {
  const rig = await startGateway();
  rig.addFault({ fault: 'hang' });
  const wire = openWire(rig.port);
  wire.socket.write(rawPost('a', ''));
  wire.socket.write(rawPost('b', '').repeat(10_000));
  await wire.ended;
  expect(rig.service.commits).not.toContain('b');
  expect((await post(rig)).status).toBe(200);
});

test('20 MB: a clean 413, in the log, with the service never asked', async () => {
  const rig = await startGateway();
  const response = await post(rig, 'k', { body: 'x'.repeat(20_000_000) });
  expect([response.status, await response.json()]).toMatchObject([413, { error: { type: 'invalid_request_error' } }]);
  expect(rig.service.requests).toEqual([]);
  expect(rig.entries()).toMatchObject([{ body: '', answer: 'none', status: 413, fault: null }]);
  expect((await post(rig)).status).toBe(200);
});

test('an oversized body without a length is stopped, too', async () => {
  const rig = await startGateway();
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(`${rig.url}/charge`, { method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    for (let i = 0; i < 40; i += 1) request.write(Buffer.alloc(100_000, 'x'));
    request.end();
  });
  expect(status).toBe(413);
});

test('just under the limit is let through', async () => {
  const rig = await startGateway();
  expect((await post(rig, 'k', { body: 'x'.repeat(1024 * 1024) })).status).toBe(200);
});

test('a request that stops in the middle never reaches the service', async () => {
  const rig = await startGateway();
  const wire = openWire(rig.port);
  wire.socket.write(rawPost('k').slice(0, -3));
  await new Promise((resolve) => setTimeout(resolve, 100));
  wire.socket.destroy();
  await wire.ended;
  expect((await post(rig, 'other')).status).toBe(200);
  expect(rig.entries().map(({ key }) => key)).toEqual(['other']);
});

test('connections that dawdle over their headers, or say nothing at all, are ended after ten seconds', async () => {
  const rig = await startGateway();
  const start = performance.now();
  const wires = ['POST /charge HTTP/1.1\r\nHost: x\r\nX-Slow: ', ''].map((begin) => {
    const wire = openWire(rig.port);
    wire.socket.write(begin);
    return wire;
  });
  await Promise.all(wires.map(({ ended }) => ended));
  expect(performance.now() - start).toBeGreaterThan(9_000);
  for (const wire of wires) expect(wire.text()).toContain('408');
});

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: \u0000\r\n\r\n'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na'],
  ['64 kB of headers', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(65_536)}\r\n\r\n`],
])('%s gets a clean 4xx and the next caller is served', async (_, bytes) => {
  const rig = await startGateway();
  const wire = openWire(rig.port);
  wire.socket.write(bytes);
  await wire.ended;
  expect(wire.text()).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect((await post(rig)).status).toBe(200);
});

test('a proxy-style request line means the same path', async () => {
  const rig = await startGateway();
  const wire = openWire(rig.port);
  wire.socket.write(rawPost('k', 'a=1', 'http://api.stripe.com/charge?expand=x'));
  await wire.until((text) => text.includes('"number":1'));
  expect(rig.service.requests).toMatchObject([{ path: '/charge', query: 'expand=x' }]);
});

test('1,000 callers at once', async () => {
  const rig = await startGateway();
  const answers = await Promise.all(Array.from({ length: 1_000 }, (_, i) => post(rig, `k${i}`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(rig.entries()).toHaveLength(1_000);
});

test('closing ends at once although connections hang, stall, trickle and wait', async () => {
  const rig = await startGateway();
  const callers = (['hang', 'truncate-stall', 'trickle', 'late', 'slow'] as const).map(async (fault) => {
    rig.addFault({ fault, match: `POST /${fault}`, delayMs: 60_000 });
    const response = await fetch(`${rig.url}/${fault}`, { method: 'POST' });
    return response.text();
  });
  await expect.poll(() => rig.service.requests.length).toBe(5);
  const settled = Promise.allSettled(callers);
  const begin = performance.now();
  await rig.close();
  expect(performance.now() - begin).toBeLessThan(30_000);
  expect(new Set((await settled).map(({ status }) => status))).toEqual(new Set(['rejected']));
});
