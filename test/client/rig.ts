import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { Resend } from 'resend';
import { afterAll, beforeAll, expect, inject, vi } from 'vitest';
import { createActivities } from '../../src/activities/activities.js';
import { createStripe } from '../../src/activities/stripe-client.js';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { patience } from '../limits.js';
import { heldDelays } from '../rig/held-delays.js';
import { inThisThread } from '../rig/in-this-thread.js';
import { type Finished, runHere } from './finished.js';
import '../rig/quiet-runtime.js';

export interface Running {
  child: ChildProcess;
  finished: Promise<Finished>;
  /** Resolves when it has said something like this. */
  said: (pattern: RegExp) => Promise<void>;
}

/** The client beside a sandbox and a worker that can be stopped. */
export interface ClientRig {
  sandbox: Sandbox;
  /** Lets the requests go on that a fault holds with `untilReleased`. */
  release: () => Promise<void>;
  temporal: Client;
  taskQueue: string;
  environment: Record<string, string>;
  newId: () => string;
  /** The path of a new file with this content. */
  file: (json: unknown) => Promise<string>;
  /** One command in this very process, which is much cheaper. */
  client: (args: readonly string[]) => Promise<Finished>;
  /** One command as people run it, in a process of its own. */
  begin: (args: readonly string[], environment?: Record<string, string>) => Running;
  /** Until the plan waits for a person. */
  untilWaiting: (id: string) => Promise<void>;
  startWorker: () => Promise<void>;
  stopWorker: () => Promise<void>;
}

/** One rig for all tests of a file. At the end the histories of all its plans are replayed. */
export function useRig(): () => ClientRig {
  let rig: ClientRig | undefined;
  let close: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    ({ rig, close } = await startClientRig());
  });
  afterAll(() => close?.());
  return () => {
    if (!rig) throw new Error('The rig is not up yet');
    return rig;
  };
}

async function startClientRig(): Promise<{ rig: ClientRig; close: () => Promise<void> }> {
  const address = inject('temporalAddress');
  const workflowBundle = { codePath: inject('workflowBundle') };
  const folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
  const { delay, release, end } = heldDelays();
  const sandbox = await startSandbox({ delay });
  const ledgerUrl = `file:${join(folder, 'ledger.db')}`;
  const ledger = await openLedger(ledgerUrl);
  const taskQueue = `test-${randomUUID()}`;
  const environment = { TEMPORAL_ADDRESS: address, TEMPORAL_TASK_QUEUE: taskQueue, LEDGER_URL: ledgerUrl };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const connection = await Connection.connect({ address });
  const nativeConnection = await NativeConnection.connect({ address });
  const temporal = new Client({ connection });
  const ids: string[] = [];
  let stop: (() => Promise<void>) | undefined;

  const rig: ClientRig = {
    ...{ sandbox, release, temporal, taskQueue, environment },
    newId() {
      const id = `w-${randomUUID()}`;
      ids.push(id);
      return id;
    },
    async file(json) {
      const path = join(folder, `${randomUUID()}.json`);
      await writeFile(path, typeof json === 'string' ? json : JSON.stringify(json));
      return path;
    },
    client: runHere,
    untilWaiting: (id) => expect.poll(async () => (await runHere(['status', id])).code).toBe(4),
    begin: (args, more) => run(args, { ...environment, ...more }),
    async startWorker() {
      const worker = await Worker.create({
        ...inThisThread,
        ...{ connection: nativeConnection, taskQueue, workflowBundle, shutdownGraceTime: '1s' },
        activities: createActivities({
          stripe: createStripe({ secretKey: 'sk_test_rig', apiBase: new URL(sandbox.stripeUrl) }),
          stripeAccount: 'acct_rig',
          resend: new Resend('re_rig', { baseUrl: sandbox.mailUrl }),
          emailFrom: 'Shop <orders@example.com>',
          // The worker's own policy: what a client sends along may only tighten it.
          policy: { limits: { usd: 100_000 } },
          ...{ ledger, now: Date.now, breakAt: () => undefined, log: pino({ level: 'silent' }) },
        }),
      });
      const running = worker.run();
      stop = async () => {
        worker.shutdown();
        await running;
      };
    },
    async stopWorker() {
      await stop?.();
      stop = undefined;
    },
  };
  await rig.startWorker();

  const close = async (): Promise<void> => {
    end();
    await rig.stopWorker();
    for (const id of ids) await replay(temporal, id, workflowBundle);
    await nativeConnection.close();
    await connection.close();
    await sandbox.close();
    await ledger.close();
    await rm(folder, { recursive: true });
  };
  return { rig, close };
}

async function replay(temporal: Client, id: string, workflowBundle: { codePath: string }): Promise<void> {
  const handle = temporal.workflow.getHandle(id);
  try {
    await handle.describe();
  } catch (error) {
    // Refused before anything was sent: there is no history.
    if (error instanceof WorkflowNotFoundError) return;
    throw error;
  }
  await Worker.runReplayHistory({ workflowBundle }, await handle.fetchHistory());
}

const main = fileURLToPath(new URL('../../src/client/main.ts', import.meta.url));

function run(args: readonly string[], environment: Record<string, string>): Running {
  const begun = Date.now();
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...environment },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr, ms: Date.now() - begun }));
  });
  const said = async (pattern: RegExp): Promise<void> => {
    const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
    await vi.waitUntil(() => pattern.test(stdout) || pattern.test(stderr) || hasEnded(), patience);
    if (hasEnded() && !pattern.test(stdout + stderr))
      throw new Error(`ended without ${String(pattern)}: ${stdout}${stderr}`);
  };
  return { child, finished, said };
}
