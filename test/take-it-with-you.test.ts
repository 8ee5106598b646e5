/* The README's section "Take it with you": its block is the file, the file works, and its list of files is complete. */
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, onTestFinished, test } from 'vitest';
import { createSendSms } from '../examples/send-sms.js';
import type { OnceDeps } from '../src/activities/once.js';
import { claimOf, plan, planFingerprint } from './ledger/claims.js';
import { createSqliteStore } from './ledger/sqlite-store.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const section = readme.split('\n## ').find((text) => text.startsWith('Take it with you')) ?? '';
const example = 'examples/send-sms.ts';
const source = readFileSync(join(root, example), 'utf8');

test('the block in the README is the file', () => {
  expect(section.match(/```ts\n(.*?)```/s)?.[1]).toBe(source);
});

test('it has fewer than 30 lines of code', () => {
  const code = source.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//'));
  expect(code.length).toBeLessThan(30);
});

test('the files that the README names are all it needs, and no more', () => {
  const needed = new Set<string>();
  const visit = (file: string): void => {
    for (const [, path] of readFileSync(join(root, file), 'utf8').matchAll(/from '(\.[^']*)\.js'/g)) {
      const imported = relative(root, join(root, dirname(file), `${path}.ts`));
      if (needed.has(imported)) continue;
      needed.add(imported);
      visit(imported);
    }
  };
  visit(example);
  visit('src/ledger/open-ledger.ts');
  visit('src/plan/idempotency-key.ts');
  const named = [...section.matchAll(/`(src\/[\w/.-]+)`/g)].map(([, path]) => path ?? '');
  const isNamed = (file: string): boolean => named.some((path) => file === path || file.startsWith(`${path}/`));
  expect([...needed].filter((file) => !isNamed(file))).toEqual([]);
  expect(named.filter((path) => ![...needed].some((file) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
});

const quiet = { logger: new DefaultLogger('ERROR') };

/** A gateway that sends every message, honours keys, and loses the answers in `lose`. */
async function startGateway(lose: ('cut' | 'page')[]) {
  const sent: string[] = [];
  const requests: { key: string; body: string }[] = [];
  const byKey = new Map<string, string>();
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const key = String(request.headers['idempotency-key']);
      requests.push({ key, body });
      if (!byKey.has(key)) byKey.set(key, `sms_${sent.push(body)}`);
      const fault = lose.shift();
      if (fault === 'cut') response.destroy();
      else if (fault === 'page') response.writeHead(502).end('<html>Bad gateway</html>');
      else response.end(JSON.stringify({ id: byKey.get(key) }));
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { sent, requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/messages` };
}

test('a message whose answers are lost is sent once, under one key, and answered from the record afterwards', async () => {
  const gateway = await startGateway(['cut', 'page']);
  const ledger = await createSqliteStore().open();
  await ledger.openPlan(plan, planFingerprint);
  const deps: Omit<OnceDeps, 'attempt'> = {
    ...{ ledger, requestTimeout: 5_000, now: Date.now, breakAt: () => undefined, mayBegin: () => undefined },
  };
  const sendSms = createSendSms(deps, gateway.url);
  const { request, account, attemptScheduledAt, ...step } = claimOf({ tool: 'sms' });
  const input = { ...step, sms: { to: '+15550100', text: 'Your order is on its way' } };
  const attempt = (): ReturnType<typeof sendSms> => new MockActivityEnvironment({}, quiet).run(sendSms, input) as never;

  await expect(attempt()).rejects.toMatchObject({ type: 'sms', nonRetryable: false });
  await expect(attempt()).rejects.toMatchObject({ type: 'sms', nonRetryable: false });
  expect(await attempt()).toMatchObject({ result: { id: 'sms_1' } });
  expect(await attempt()).toMatchObject({ result: { id: 'sms_1' }, receipt: { answeredBy: 'ledger' } });
  expect(gateway.sent).toHaveLength(1);
  expect(gateway.requests).toHaveLength(3);
  expect(new Set(gateway.requests.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
});
