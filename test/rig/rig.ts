import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { Resend } from 'resend';
import { inject } from 'vitest';
import { type ActivityDeps, createActivities } from '../../src/activities/activities.js';
import { createStripe } from '../../src/activities/stripe-client.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { fingerprint } from '../../src/plan/fingerprint.js';
import type { Plan } from '../../src/plan/plan-schema.js';
import type { Report } from '../../src/plan/report.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';

/** Time-outs short enough for a test; the first retry comes as fast as the server's timers allow. */
export const fastPolicy = {
  activity: { requestTimeout: '600ms', startToCloseTimeout: '2s', initialInterval: '50ms', maximumInterval: '200ms' },
};

export interface RigOptions {
  /** Replaces parts of what the activities are given. */
  deps?: Partial<ActivityDeps>;
}

export interface Rig {
  sandbox: Sandbox;
  ledger: Ledger;
  client: Client;
  taskQueue: string;
  newId(): string;
  /** Starts a plan as the client does and waits for the end. A failed plan's report comes from its failure. */
  run(plan: unknown, options?: { workflowId?: string; policy?: unknown }): Promise<Outcome>;
  /** Stops everything, and replays the history of every workflow that was started. */
  close(): Promise<void>;
}

export interface Outcome {
  report: Report;
  /** The failure's type and message; absent for a completed plan. */
  failure?: { type: string; message: string };
}

// One runtime a process: its own log lines would drown the test's.
Runtime.install({ logger: new DefaultLogger('ERROR') });

/** A worker with a sandbox and a ledger of its own, on the suite's Temporal server. */
export async function startRig({ deps = {} }: RigOptions = {}): Promise<Rig> {
  const address = inject('temporalAddress');
  const workflowBundle = { codePath: inject('workflowBundle') };
  const folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
  const sandbox = await startSandbox();
  const ledger = await openLedger(`file:${join(folder, 'ledger.db')}`);
  const taskQueue = `test-${randomUUID()}`;
  const connection = await Connection.connect({ address });
  const nativeConnection = await NativeConnection.connect({ address });
  const client = new Client({ connection });
  const started = new Set<string>();

  const worker = await Worker.create({
    connection: nativeConnection,
    taskQueue,
    workflowBundle,
    activities: createActivities({
      stripe: createStripe({ secretKey: 'sk_test_rig', apiBase: new URL(sandbox.stripeUrl) }),
      stripeAccount: 'acct_rig',
      resend: new Resend('re_rig', { baseUrl: sandbox.mailUrl }),
      emailFrom: 'Shop <orders@example.com>',
      ...{ ledger, policy: {}, now: Date.now, breakAt: () => undefined, log: pino({ level: 'silent' }) },
      ...deps,
    }),
  });
  const running = worker.run();

  return {
    ...{ sandbox, ledger, client, taskQueue },
    newId: () => `w-${randomUUID()}`,
    async run(plan, { workflowId = `w-${randomUUID()}`, policy = fastPolicy } = {}) {
      started.add(workflowId);
      const handle = await client.workflow.start('agentPlan', {
        ...{ taskQueue, workflowId, args: [{ plan, policy }] },
        memo: { planFingerprint: fingerprint(plan as Plan) },
      });
      try {
        return { report: (await handle.result()) as Report };
      } catch (error) {
        const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
        if (!(cause instanceof ApplicationFailure)) throw error;
        return {
          report: cause.details?.[0] as Report,
          failure: { type: cause.type ?? '', message: cause.message },
        };
      }
    },
    async close() {
      worker.shutdown();
      await running;
      for (const workflowId of started) {
        await Worker.runReplayHistory({ workflowBundle }, await client.workflow.getHandle(workflowId).fetchHistory());
      }
      await nativeConnection.close();
      await connection.close();
      await sandbox.close();
      await ledger.close();
      await rm(folder, { recursive: true });
    },
  };
}
