import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startProcess, type SandboxProcess } from './process.js';
import { chargeBody } from './raw.js';
import { temporaryFolder } from './rig.js';

/** What a sandbox under attack may take, in MB: measured are 110 at rest, 170 after the first three attacks and 300 at most. */
const limit = 500;

const run = promisify(execFile);

async function residentMB({ process: { pid } }: SandboxProcess): Promise<number> {
  return Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout) / 1024;
}

/** What a client makes of it is its own business here: a status, or none when it was hung up on. */
function create({ ready }: SandboxProcess, key: string, body: string): Promise<number> {
  return fetch(`${ready.stripeUrl}/v1/payment_intents`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sk_test_raw',
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': key,
    },
    body,
  }).then(
    async (response) => {
      await response.text();
      return response.status;
    },
    () => 0,
  );
}

const all = (count: number, work: (i: number) => Promise<number>): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));

/** Opens a connection, begins a request and falls silent. */
function fallSilent({ ready }: SandboxProcess): void {
  const socket = connect(ready.ports['stripe'] ?? 0, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST /v1/payment_intents HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\namount=');
}

test('attacked from all sides: clean answers, a bounded memory, and the next caller is served', async () => {
  const sandbox = await startProcess(['--database', join(temporaryFolder(), 'sandbox.db')]);
  const measured: [string, number][] = [['at rest', await residentMB(sandbox)]];
  const watch = async (name: string, attack: Promise<number[]>, allowed: number): Promise<void> => {
    let most = 0;
    let watching = true;
    const measure = async (): Promise<void> => {
      for (; watching; await wait(200)) most = Math.max(most, await residentMB(sandbox));
    };
    const measuring = measure();
    const statuses = await attack;
    watching = false;
    await measuring;
    measured.push([name, most]);
    expect(statuses.filter((status) => status !== allowed)).toEqual([]);
  };

  for (let i = 0; i < 200; i += 1) fallSilent(sandbox);
  const megabytes = 'x'.repeat(20_000_000);
  await watch(
    '20 bodies of 20 MB',
    all(20, (i) => create(sandbox, `big ${i}`, megabytes)),
    413,
  );
  const parameters = Array.from({ length: 5_000 }, (_, i) => `metadata[a${i}]=x`).join('&');
  await watch(
    '50 times 5,000 parameters',
    all(50, (i) => create(sandbox, `many ${i}`, parameters)),
    400,
  );
  const deep = `metadata${'[a]'.repeat(300_000)}=x`;
  await watch(
    '20 times 300,000 levels',
    all(20, (i) => create(sandbox, `deep ${i}`, deep)),
    400,
  );
  const large = `${chargeBody}&description=${'x'.repeat(1_000_000)}`;
  await watch(
    '100 bodies of 1 MB',
    all(100, (i) => create(sandbox, `large ${i}`, large)),
    400,
  );
  await watch(
    '1,000 charges at once',
    all(1_000, (i) => create(sandbox, `charge ${i}`, chargeBody)),
    200,
  );

  console.log(measured.map(([name, most]) => `${name}: ${Math.round(most)} MB`).join(' · '));
  expect(Math.max(...measured.map(([, most]) => most))).toBeLessThan(limit);
  expect(await create(sandbox, 'after', chargeBody)).toBe(200);
  expect(await sandbox.end('SIGTERM')).toBe(0);
  expect(sandbox.stderr()).toBe('');
});
