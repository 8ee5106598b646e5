/*
 * `npm run worker` as a process: what it refuses before it begins, and how it ends. What is wrong in a single setting is
 * tested in config.test.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { openLedger } from '../src/ledger/open-ledger.js';
import { idempotencyKey } from '../src/plan/idempotency-key.js';
import { type Sandbox, startSandbox } from '../src/sandbox/sandbox.js';
import { patience } from './limits.js';

const command = ['scripts/run.mjs', 'src/worker.ts'].map((path) =>
  fileURLToPath(new URL(`../${path}`, import.meta.url)),
);
const plan: unknown = JSON.parse(readFileSync(new URL('../plans/order.json', import.meta.url), 'utf8'));

/** Nobody listens there: it needs rights that no test has. */
const nowhere = '127.0.0.1:1';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(() => sandbox.close());

interface WorkerProcess {
  child: ChildProcess;
  folder: string;
  taskQueue: string;
  stdout: () => string;
  stderr: () => string;
  /** Its exit code. */
  ended: Promise<number | null>;
}

/** In a folder of its own, where no `.env` is; on the suite's Temporal server and this file's sandbox. */
function startWorker(env: NodeJS.ProcessEnv = {}): WorkerProcess {
  const folder = mkdtempSync(join(tmpdir(), 'agent-plans-'));
  const taskQueue = `worker-${randomUUID()}`;
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: {
      ...{ PATH: process.env['PATH'], HOME: folder },
      ...{ TEMPORAL_ADDRESS: inject('temporalAddress'), TEMPORAL_TASK_QUEUE: taskQueue },
      ...{ STRIPE_SECRET_KEY: 'sk_test_worker', STRIPE_API_BASE: sandbox.stripeUrl },
      ...{ RESEND_API_KEY: 're_worker', RESEND_BASE_URL: sandbox.mailUrl },
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, folder, taskQueue, stdout: () => stdout, stderr: () => stderr, ended };
}

describe('the worker refuses, with one line and exit code 2', () => {
  const secret = 'a1B2c3D4e5F6g7H8';

  test.for([
    ['a live key', `sk_live_${secret}`],
    ['a publishable key', `pk_test_${secret}`],
    ['no key', ''],
  ] as const)('%s, of which neither Stripe nor anybody else hears', async ([, key]) => {
    const requests = sandbox.effects().requests.length;
    const { ended, stdout, stderr } = startWorker({ STRIPE_SECRET_KEY: key });
    expect(await ended).toBe(2);
    expect(stderr()).toMatch(/^configuration: STRIPE_SECRET_KEY: must be a test mode secret key .*\n$/);
    expect(stderr()).not.toContain(secret);
    expect(stdout()).toBe('');
    expect(sandbox.effects().requests).toHaveLength(requests);
  });

  const policy = (activity: object): string => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-plans-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'policy.json');
    writeFileSync(file, JSON.stringify({ activity }));
    return file;
  };

  test.for<[string, () => NodeJS.ProcessEnv, RegExp]>([
    ['a Stripe that is not there', () => ({ STRIPE_API_BASE: `http://${nowhere}` }), /^Stripe does not answer/],
    ['a Stripe that is the mailbox', () => ({ STRIPE_API_BASE: sandbox.mailUrl }), /^Stripe does not answer/],
    ['a Temporal server that is not there', () => ({ TEMPORAL_ADDRESS: nowhere }), /^No Temporal server at 127/],
    ['a ledger that cannot be opened', () => ({ LEDGER_URL: 'file:/dev/null/ledger.db' }), /^The ledger cannot be us/],
    [
      'a policy that contradicts itself',
      () => ({ POLICY_FILE: policy({ requestTimeout: '31s' }) }),
      /^policy: activity\.requestTimeout: /,
    ],
  ])('%s', async ([, env, line]) => {
    const { ended, stdout, stderr } = startWorker(env());
    expect(await ended, stderr()).toBe(2);
    expect(stderr()).toMatch(line);
    expect(stderr()).toMatch(/^.+\n$/);
    expect(stdout()).toBe('');
  });
});

describe('the worker', () => {
  test.for(['SIGTERM', 'SIGINT'] as const)(
    'brings the attempt on its way home on %s, and ends with 0',
    async (signal) => {
      const { child, ended, folder, stderr, stdout, taskQueue } = startWorker();
      await vi.waitUntil(() => stdout().includes('\n'), patience);
      const workflowId = `order-${randomUUID()}`;
      const key = idempotencyKey({ namespace: 'default', workflowId, stepIndex: 0, purpose: 'do' });
      const mine = () => sandbox.effects().charges.filter((charge) => charge.key === key);
      const connection = await Connection.connect({ address: inject('temporalAddress') });
      onTestFinished(() => connection.close());
      const { workflow } = new Client({ connection });
      // The charge is made at once; its answer is still on its way when the signal comes.
      sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'late', delayMs: 6_000 });
      const policy = { activity: { requestTimeout: '1m', startToCloseTimeout: '2m' } };
      const handle = await workflow.start('agentPlan', { workflowId, taskQueue, args: [{ plan, policy }] });
      await vi.waitUntil(() => mine().length === 1, patience);

      child.kill(signal);
      // Of one Ctrl-C a process below npm hears twice.
      child.kill(signal);

      expect(await ended, stderr()).toBe(0);
      expect(stdout().trim().split('\n')).toHaveLength(1);
      expect(JSON.parse(stdout())).toMatchObject({ ready: true, taskQueue, namespace: 'default' });
      const ledger = await openLedger(`file:${join(folder, 'data/ledger.db')}`);
      onTestFinished(() => ledger.close());
      expect(await ledger.find(key)).toMatchObject({ state: 'succeeded', asks: 1, reference: mine()[0]?.id });
      const { events } = await handle.fetchHistory();
      expect(events?.filter((event) => event.activityTaskCompletedEventAttributes)).toHaveLength(1);
      await handle.terminate();
    },
  );

  test('that cannot write its ledger says so, and ends all the same when it is told to', async () => {
    const { child, ended, folder, stderr, stdout, taskQueue } = startWorker();
    await vi.waitUntil(() => stdout().includes('\n'), patience);
    const holder = new Database(join(folder, 'data/ledger.db'));
    onTestFinished(() => void holder.close());
    holder.exec('BEGIN EXCLUSIVE');
    const connection = await Connection.connect({ address: inject('temporalAddress') });
    onTestFinished(() => connection.close());
    const workflowId = `order-${randomUUID()}`;
    const { workflow } = new Client({ connection });
    const handle = await workflow.start('agentPlan', { workflowId, taskQueue, args: [{ plan, policy: {} }] });
    onTestFinished(() => handle.terminate().then(() => undefined));
    await vi.waitUntil(() => stderr().includes('the plan is not opened'), patience);

    child.kill('SIGTERM');

    expect(await ended, stderr()).toBe(0);
    expect(stderr()).toMatch(/database is locked/);
  });
});
