import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import type { Effects } from '../../src/sandbox/sandbox.js';
import { runProcess, startProcess, type SandboxProcess } from './process.js';
import { temporaryFolder } from './rig.js';

const effectsOf = async ({ ready }: SandboxProcess): Promise<Effects> =>
  (await fetch(`${ready.url}/effects`)).json() as Promise<Effects>;

function send(url: string, key: string): Promise<Response> {
  const headers = { authorization: 'Bearer re_x', 'idempotency-key': key };
  const body = JSON.stringify({ from: 'a@x.test', to: 'b@x.test', subject: 'S', text: 'T' });
  return fetch(`${url}/emails`, { method: 'POST', headers, body });
}

function charge(url: string, key: string): Promise<Response> {
  const headers = {
    authorization: 'Bearer sk_test_x',
    'idempotency-key': key,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const body = 'amount=100&currency=usd&payment_method=pm_card_visa&payment_method_types[]=card&confirm=true';
  return fetch(`${url}/v1/payment_intents`, { method: 'POST', headers, body });
}

test('one line when ready; a signal ends it at once with 0, even with a caller left hanging', async () => {
  const database = join(temporaryFolder(), 'new', 'sandbox.db');
  const sandbox = await startProcess(['--database', database]);
  const { ports, url, stripeUrl, mailUrl } = sandbox.ready;
  expect(sandbox.ready).toEqual({ ready: true, ports, url, stripeUrl, mailUrl });
  expect([url, stripeUrl, mailUrl]).toEqual(
    ['control', 'stripe', 'mail'].map((name) => `http://127.0.0.1:${String(ports[name])}`),
  );
  for (const fault of [
    { service: 'stripe', match: 'POST /v1/payment_intents', fault: 'hang' },
    { service: 'mail', match: 'POST /emails', fault: 'slow', delayMs: 60_000 },
  ]) {
    await fetch(`${url}/faults`, { method: 'POST', body: JSON.stringify(fault) });
  }
  const callers = Promise.allSettled([charge(stripeUrl, 'k'), send(mailUrl, 'm')]);
  await expect.poll(() => effectsOf(sandbox)).toMatchObject({ charges: [{ key: 'k' }], requests: [{}, {}] });
  const begin = performance.now();
  expect(await sandbox.end('SIGTERM')).toBe(0);
  expect(performance.now() - begin).toBeLessThan(30_000);
  expect((await callers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(sandbox.stderr()).toBe('');
  expect(existsSync(database)).toBe(true);
});

test.each([
  [['--port', 'x'], {}, /argument 'x' is invalid/],
  [['--wat'], {}, /unknown option/],
  [[], { SANDBOX_PORT: '70000' }, /SANDBOX_PORT/],
  [['--stripe-upstream', 'api.stripe.com'], {}, /https:\/\/api\.stripe\.com/],
  [[], { SANDBOX_DB: '/dev/null/sandbox.db' }, /Cannot open the database/],
  [[], { SANDBOX_DB: '' }, /SANDBOX_DB.* must not be empty/],
  [[], { SANDBOX_HOST: '' }, /SANDBOX_HOST.* must not be empty/],
  [['--host', ' '], {}, /must not be empty/],
  [[], { SANDBOX_ALLOWED_HOSTS: 'box, a b' }, /SANDBOX_ALLOWED_HOSTS: "a b" is no host name/],
  [[], { SANDBOX_ALLOWED_HOSTS: 'http://box:4010' }, /SANDBOX_ALLOWED_HOSTS: .* is no host name/],
])('%j %j: one clear line and exit code 2', async (options, environment, line) => {
  const [code, stdout, stderr] = await runProcess(options, { SANDBOX_DB: ':memory:', ...environment });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(line);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('a file is one sandbox at a time, and after its end all of it', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'sandbox.db');
  const first = await startProcess(['--database', file]);
  await charge(first.ready.stripeUrl, 'k');
  const [code, , stderr] = await runProcess(['--database', file], {});
  expect([code, stderr]).toEqual([2, `Cannot open the database ${file}: another program is using it\n`]);
  expect(await first.end('SIGTERM')).toBe(0);

  const copy = join(folder, 'copy.db');
  copyFileSync(file, copy);
  const second = await startProcess(['--database', copy]);
  expect(await effectsOf(second)).toMatchObject({ charges: [{ key: 'k' }] });
});

test("another program's database is left alone", async () => {
  const file = join(temporaryFolder(), 'other.db');
  const other = new Database(file);
  other.exec('CREATE TABLE clock (hand TEXT)');
  other.close();
  const before = readFileSync(file);
  const [code, , stderr] = await runProcess(['--database', file], {});
  expect([code, stderr]).toEqual([2, expect.stringMatching(/other\.db: it is not the state of a sandbox.*\n$/)]);
  expect(readFileSync(file)).toEqual(before);
});

test('a busy port: one clear line and exit code 2', async () => {
  const first = await startProcess([], { SANDBOX_DB: ':memory:' });
  const busy = { SANDBOX_DB: ':memory:', SANDBOX_MAIL_PORT: String(first.ready.ports['mail']) };
  const [code, stdout, stderr] = await runProcess([], busy);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^Cannot open the mail port .*: the port is already in use\n$/);
});

test('in a container: bound to every interface, called by the names that the operator allows', async () => {
  const environment = {
    SANDBOX_DB: ':memory:',
    SANDBOX_HOST: '0.0.0.0',
    SANDBOX_ALLOWED_HOSTS: 'sandbox, box.internal',
  };
  const { ready } = await startProcess([], environment);
  const statusFor = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const asked = request(`${ready.url}/health`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on('error', reject).end();
    });
  expect(await Promise.all(['sandbox:4010', 'box.internal', 'evil.example'].map(statusFor))).toEqual([200, 200, 403]);
});
