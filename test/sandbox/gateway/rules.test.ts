import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { matches } from '../../../src/sandbox/gateway/match.js';
import { post, startGateway, type Rig } from './rig.js';

const statuses = async (rig: Rig, keys: string[]): Promise<number[]> => {
  const seen: number[] = [];
  for (const key of keys) seen.push((await post(rig, key)).status);
  return seen;
};

test.each([
  ['POST /v1/payment_intents', 'POST', '/v1/payment_intents', true],
  ['POST /v1/payment_intents', 'GET', '/v1/payment_intents', false],
  ['POST /v1/payment_intents', 'POST', '/v1/payment_intents/', false],
  ['POST /v1/payment_intents', 'POST', '/v1/payment_intents/pi_1', false],
  ['POST /v1/payment_intents/*', 'POST', '/v1/payment_intents/pi_1', true],
  ['POST /v1/payment_intents/*', 'POST', '/v1/payment_intents/', false],
  ['POST /v1/payment_intents/*', 'POST', '/v1/payment_intents', false],
  ['POST /v1/payment_intents/*/confirm', 'POST', '/v1/payment_intents/pi_1/confirm', true],
  ['POST /v1/*/confirm', 'POST', '/v1/payment_intents/pi_1/confirm', false],
  ['GET /emails/*', 'GET', '/emails/__proto__', true],
])('%s and %s %s: %s', (pattern, method, path, expected) => {
  expect(matches(pattern, method, path)).toBe(expected);
});

test('times: hits so many requests, and "always" every one', async () => {
  const rig = await startGateway();
  rig.addFault({ fault: '502-before', times: 2 });
  expect(await statuses(rig, ['a', 'b', 'c'])).toEqual([502, 502, 200]);
  rig.addFault({ fault: '429', times: 'always' });
  expect(await statuses(rig, ['a', 'b', 'c'])).toEqual([429, 429, 429]);
});

test('skip: lets the first matching requests through', async () => {
  const rig = await startGateway();
  rig.addFault({ fault: '502-before', skip: 2 });
  expect(await statuses(rig, ['a', 'b', 'c', 'd'])).toEqual([200, 200, 502, 200]);
});

test('the first rule that has times left wins; a request that it lets through goes to the next', async () => {
  const rig = await startGateway();
  rig.addFault({ fault: '502-before', times: 1 });
  rig.addFault({ fault: '429', skip: 1, times: 1 });
  rig.addFault({ fault: '409', times: 1 });
  expect(await statuses(rig, ['a', 'b', 'c', 'd'])).toEqual([502, 409, 429, 200]);
});

test('other paths, methods and services are left alone', async () => {
  const rig = await startGateway();
  rig.addFault({ fault: '502-before', match: 'POST /other', times: 'always' });
  rig.addFault({ fault: '502-before', match: 'GET /charge', times: 'always' });
  rig.addFault({ fault: '502-before', service: 'mail', times: 'always' });
  expect(await statuses(rig, ['a'])).toEqual([200]);
});

test('a query string is not part of the path', async () => {
  const rig = await startGateway();
  rig.addFault({ fault: '502-before', match: 'GET /list' });
  expect((await fetch(`${rig.url}/list?limit=3`)).status).toBe(502);
  expect(rig.entries()).toMatchObject([{ method: 'GET', path: '/list', key: null, body: '' }]);
});

test('probability: the same requests are hit in any order, another seed hits others, and two rules do not coincide', async () => {
  const keys = Array.from({ length: 40 }, (_, i) => `key-${i}`);
  const run = async (order: string[], seed: number): Promise<string[]> => {
    const rig = await startGateway();
    rig.addFault({ fault: '502-before', times: 'always', probability: 0.4, seed });
    rig.addFault({ fault: '429', times: 'always', probability: 0.4, seed });
    const hit: string[] = [];
    // Two requests of each key: the second one is another throw of the dice.
    for (const round of [1, 2]) {
      await Promise.all(order.map(async (key) => hit.push(`${key} ${round} ${(await post(rig, key)).status}`)));
    }
    return hit.sort();
  };
  const first = await run(keys, 7);
  expect(await run([...keys].reverse(), 7)).toEqual(first);
  expect(await run(keys, 8)).not.toEqual(first);

  const count = (what: string): number => first.filter((line) => line.endsWith(what)).length;
  expect(count(' 502')).toBeGreaterThan(20); // of 80, expected 32
  expect(count(' 502')).toBeLessThan(45);
  expect(count(' 429')).toBeGreaterThan(8); // of the other 48, expected 19
  const byRound = (round: number): string[] => first.filter((l) => l.includes(` ${round} `)).map((l) => l.slice(-3));
  expect(byRound(1)).not.toEqual(byRound(2));
});

test('a sandbox that was killed goes on with its script, its counts and its log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sandbox.db');
  const before = await startGateway({ file });
  before.addFault({ fault: '502-before', skip: 1, times: 2 });
  before.addFault({ fault: '429', times: 'always', probability: 0.5, seed: 3 });
  const uninterrupted = await startGateway();
  uninterrupted.addFault({ fault: '502-before', skip: 1, times: 2 });
  uninterrupted.addFault({ fault: '429', times: 'always', probability: 0.5, seed: 3 });

  const first = await statuses(before, ['a', 'b']);
  await before.close();
  const after = await startGateway({ file });
  const rest = await statuses(after, ['c', 'a', 'b', 'a', 'b', 'a', 'c']);

  const expected = await statuses(uninterrupted, ['a', 'b', 'c', 'a', 'b', 'a', 'b', 'a', 'c']);
  expect([...first, ...rest]).toEqual(expected);
  expect(after.entries()).toHaveLength(9);
  expect(after.entries().map(({ status }) => status)).toEqual(expected);
});
