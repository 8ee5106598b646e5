import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { Resend } from 'resend';
import { inject } from 'vitest';
import { type ActivityDeps, createActivities } from '../../src/activities/activities.js';
import { createStripe } from '../../src/activities/stripe-client.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { fingerprint } from '../../src/plan/fingerprint.js';
import type { Report } from '../../src/plan/report.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { heldDelays } from './held-delays.js';
import { inThisThread } from './in-this-thread.js';
import { patientPolicy } from './policies.js';
import './quiet-runtime.js';
import { openTestLedger } from './test-ledger.js';

export interface RigOptions {
  /** Replaces parts of what the activities are given. */
  deps?: Partial<ActivityDeps>;
  /** The worker's clock, which is the ledger's too. */
  now?: () => number;
}

export interface Rig {
  sandbox: Sandbox;
  /** Lets the requests go on that a fault holds with `untilReleased`. */
  release(): Promise<void>;
  ledger: Ledger;
  client: Client;
  taskQueue: string;
  newId(): string;
  /** Starts a plan as the client does. */
  start(plan: unknown, options?: StartOptions): Promise<WorkflowHandle>;
  /** Waits for the end. A failed plan's report comes from its failure. */
  outcome(handle: WorkflowHandle): Promise<Outcome>;
  /** Both. */
  run(plan: unknown, options?: StartOptions): Promise<Outcome>;
  /** Stops everything, and replays the history of every workflow that was started. */
  close(): Promise<void>;
}

export interface StartOptions {
  workflowId?: string;
  policy?: unknown;
}

export interface Outcome {
  report: Report;
  /** The failure's type and message; absent for a completed plan. */
  failure?: { type: string; message: string };
}

/** A worker with a sandbox and a ledger of its own, on the suite's Temporal server. */
export async function startRig({ deps = {}, now = Date.now }: RigOptions = {}): Promise<Rig> {
  const address = inject('temporalAddress');
  const workflowBundle = { codePath: inject('workflowBundle') };
  const folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
  const { delay, release, end } = heldDelays();
  const sandbox = await startSandbox({ delay });
  const { ledger, remove } = await openTestLedger(join(folder, 'ledger.db'), now);
  const taskQueue = `test-${randomUUID()}`;
  const connection = await Connection.connect({ address });
  const nativeConnection = await NativeConnection.connect({ address });
  const client = new Client({ connection });
  const started = new Set<string>();

  const worker = await Worker.create({
    ...inThisThread,
    connection: nativeConnection,
    taskQueue,
    workflowBundle,
    activities: createActivities({
      stripe: createStripe({ secretKey: 'sk_test_rig', apiBase: new URL(sandbox.stripeUrl) }),
      stripeAccount: 'acct_rig',
      resend: new Resend('re_rig', { baseUrl: sandbox.mailUrl }),
      emailFrom: 'Shop <orders@example.com>',
      ...{ ledger, policy: {}, now, breakAt: () => undefined, log: pino({ level: 'silent' }) },
      ...deps,
    }),
  });
  const running = worker.run();

  const start: Rig['start'] = (plan, { workflowId = `w-${randomUUID()}`, policy = patientPolicy } = {}) => {
    started.add(workflowId);
    const memo = { planFingerprint: fingerprint(plan) };
    return client.workflow.start('agentPlan', { taskQueue, workflowId, args: [{ plan, policy }], memo });
  };

  return {
    ...{ sandbox, release, ledger, client, taskQueue },
    newId: () => `w-${randomUUID()}`,
    start,
    outcome,
    run: async (plan, options) => outcome(await start(plan, options)),
    async close() {
      end();
      worker.shutdown();
      await running;
      for (const workflowId of started) {
        await Worker.runReplayHistory({ workflowBundle }, await client.workflow.getHandle(workflowId).fetchHistory());
      }
      await nativeConnection.close();
      await connection.close();
      await sandbox.close();
      await remove();
      await rm(folder, { recursive: true });
    },
  };
}

async function outcome(handle: WorkflowHandle): Promise<Outcome> {
  try {
    return { report: (await handle.result()) as Report };
  } catch (error) {
    const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
    if (!(cause instanceof ApplicationFailure)) throw error;
    return { report: cause.details?.[0] as Report, failure: { type: cause.type ?? '', message: cause.message } };
  }
}
