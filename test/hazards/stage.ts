import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { pino } from 'pino';
import { Resend } from 'resend';
import { inject, type TestContext } from 'vitest';
import { type ActivityDeps, createActivities } from '../../src/activities/activities.js';
import { createStripe } from '../../src/activities/stripe-client.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { fingerprint } from '../../src/plan/fingerprint.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { inThisThread } from '../rig/in-this-thread.js';
import { openTestLedger } from '../rig/test-ledger.js';
import '../rig/quiet-runtime.js';

/** A sandbox and a ledger, and workers that come and go; the rig's one worker lives as long as the test. */
export interface Stage {
  sandbox: Sandbox;
  ledger: Ledger;
  client: (namespace?: string) => Client;
  taskQueue: string;
  newId(): string;
  /** Starts a plan as the client does. */
  start(plan: unknown, options?: StageStart): Promise<WorkflowHandle>;
  /** Resolves when the worker is there, with what ends it. Each has a ledger connection of its own, as a process would. */
  startWorker(options?: StageWorker): Promise<() => Promise<void>>;
}

export interface StageStart {
  workflowId?: string;
  namespace?: string;
  policy?: unknown;
}

export interface StageWorker {
  namespace?: string;
  /** Where the providers are, if there is something in between. */
  stripeUrl?: string;
  mailUrl?: string;
  /** What a test puts in the way of the activities. */
  change?: (deps: ActivityDeps) => Partial<ActivityDeps>;
  /** What a deploy changes. */
  code?: (deps: ActivityDeps) => Partial<WorkerOptions>;
}

/** No retry waits long, and no answer is given up on. */
const patientPolicy = {
  activity: { requestTimeout: '30s', startToCloseTimeout: '60s', initialInterval: '50ms', maximumInterval: '200ms' },
};

/** A stage for one test, closed when the test is over. */
export async function withStage({ onTestFinished }: TestContext, address?: string): Promise<Stage> {
  const stage = await startStage(address);
  onTestFinished(() => stage.close());
  return stage;
}

/** `address`: another server than the suite's. */
export async function startStage(address = inject('temporalAddress')): Promise<Stage & { close: () => Promise<void> }> {
  const workflowBundle = { codePath: inject('workflowBundle') };
  const folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
  const sandbox = await startSandbox();
  const { ledger, url, remove } = await openTestLedger(join(folder, 'ledger.db'));
  const taskQueue = `test-${randomUUID()}`;
  const connection = await Connection.connect({ address });
  const started = new Map<string, WorkflowHandle>();
  const stops: (() => Promise<void>)[] = [];
  const client = (namespace = 'default'): Client => new Client({ connection, namespace });

  return {
    ...{ sandbox, ledger, client, taskQueue },
    newId: () => `w-${randomUUID()}`,
    async start(plan, { workflowId = `w-${randomUUID()}`, namespace = 'default', policy = patientPolicy } = {}) {
      const handle = await client(namespace).workflow.start('agentPlan', {
        ...{ taskQueue, workflowId, args: [{ plan, policy }] },
        memo: { planFingerprint: fingerprint(plan) },
      });
      // Of the latest run: a reset or a second start has one of its own.
      started.set(`${namespace}/${workflowId}`, client(namespace).workflow.getHandle(workflowId));
      return handle;
    },
    async startWorker({ namespace = 'default', stripeUrl, mailUrl, change, code } = {}) {
      const nativeConnection = await NativeConnection.connect({ address });
      const own = await openLedger(url);
      const deps: ActivityDeps = {
        stripe: createStripe({ secretKey: 'sk_test_rig', apiBase: new URL(stripeUrl ?? sandbox.stripeUrl) }),
        stripeAccount: 'acct_rig',
        resend: new Resend('re_rig', { baseUrl: mailUrl ?? sandbox.mailUrl }),
        emailFrom: 'Shop <orders@example.com>',
        ...{ ledger: own, policy: {}, now: Date.now, breakAt: () => undefined, log: pino({ level: 'silent' }) },
      };
      const all = { ...deps, ...change?.(deps) };
      const worker = await Worker.create({
        ...inThisThread,
        ...{ connection: nativeConnection, namespace, taskQueue, workflowBundle, shutdownGraceTime: '10s' },
        activities: createActivities(all),
        ...code?.(all),
      });
      const running = worker.run();
      let ended: Promise<void> | undefined;
      const stop = (): Promise<void> =>
        (ended ??= (async () => {
          worker.shutdown();
          await running;
          await nativeConnection.close();
          await own.close();
        })());
      stops.push(stop);
      return stop;
    },
    /** Ends all workers, and replays the history of every plan. */
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      const replayed = Worker.runReplayHistories({ workflowBundle }, histories(started.values()));
      for await (const { error } of replayed) if (error) throw error;
      await connection.close();
      await sandbox.close();
      await remove();
      await rm(folder, { recursive: true });
    },
  };
}

async function* histories(handles: Iterable<WorkflowHandle>) {
  for (const handle of handles) yield { workflowId: handle.workflowId, history: await handle.fetchHistory() };
}
