import { expect, test } from 'vitest';
import { isTrusted, trustedHosts } from '../../../src/sandbox/control/origin.js';
import { sandboxForTest } from '../rig.js';
import { charge } from './rig.js';

const trusted = trustedHosts('192.168.1.5', ['sandbox', 'Box.Internal', 'other:4010']);
test.each([
  ['127.0.0.1:4010', undefined, true],
  ['localhost:4010', 'http://localhost:4010', true],
  ['[::1]:4010', undefined, true],
  ['192.168.1.5:4010', 'http://192.168.1.5:4010', true],
  ['sandbox:4010', undefined, true],
  ['LOCALHOST', undefined, true],
  ['box.internal:4010', 'http://BOX.internal:4010', true],
  ['other', undefined, true],
  ['rebound.example:4010', undefined, false],
  ['127.0.0.1.rebound.example', undefined, false],
  ['192.168.1.6:4010', undefined, false],
  [undefined, undefined, false],
  ['', undefined, false],
  ['localhost:4010', 'https://evil.example', false],
  ['localhost:4010', 'http://localhost.evil.example', false],
  ['localhost:4010', 'null', false],
  ['localhost:4010', 'file://', false],
])('Host %s, Origin %s: %s', (host, origin, expected) => {
  expect(isTrusted({ host, ...(origin !== undefined && { origin }) }, trusted)).toBe(expected);
});

test('a foreign page is refused and changes nothing', async () => {
  const sandbox = await sandboxForTest();
  const headers = { origin: 'https://evil.example' };
  await charge(sandbox, 'k');
  for (const [method, path] of [
    ['POST', '/reset'],
    ['GET', '/effects'],
    ['GET', '/'],
  ] as const) {
    const response = await fetch(sandbox.url + path, { method, headers });
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  }
  expect(sandbox.effects().charges).toHaveLength(1);
});

test('the host that it listens on has no case', () => {
  expect(isTrusted({ host: 'box.local:4010' }, trustedHosts('Box.local', []))).toBe(true);
});
