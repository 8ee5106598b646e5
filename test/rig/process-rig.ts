import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';
import { inject, type TestContext, vi } from 'vitest';
import { fingerprint } from '../../src/plan/fingerprint.js';
import type { Plan } from '../../src/plan/plan-schema.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { Program } from '../chaos/program.js';
import { patience } from '../limits.js';
import { createDatabase, testPostgresUrl } from './postgres.js';

/** After a killed worker the server waits for these: short, so that a case takes seconds. */
const impatient = {
  activity: { requestTimeout: '3s', startToCloseTimeout: '5s', initialInterval: '100ms', maximumInterval: '500ms' },
};
const workflowTaskTimeout = '2s';

/** Worker processes that can be killed, or told where to break, with a sandbox and one ledger. */
export interface ProcessRig {
  sandbox: Sandbox;
  start(plan: Plan): Promise<WorkflowHandle>;
  /** Resolves when it is up. With `breakAt` (as `BREAK_AT`) it breaks there, once. */
  startWorker(breakAt?: string): Promise<Program>;
  /** Until so many workers ask for activities: one that is up may not have asked yet. */
  untilPolled(workers: number): Promise<void>;
}

/** `policy`: the workers' own. */
export async function withProcessRig(
  { onTestFinished }: TestContext,
  policy: unknown = impatient,
): Promise<ProcessRig> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
  const sandbox = await startSandbox();
  const database = testPostgresUrl ? await createDatabase() : undefined;
  const address = inject('temporalAddress');
  const connection = await Connection.connect({ address });
  const taskQueue = `test-${randomUUID()}`;
  await writeFile(join(folder, 'policy.json'), JSON.stringify(policy));
  const workers: Program[] = [];
  onTestFinished(async () => {
    for (const worker of workers) await worker.kill();
    await connection.close();
    await sandbox.close();
    await database?.drop();
    await rm(folder, { recursive: true });
  });
  return {
    sandbox,
    start: (plan) =>
      new Client({ connection }).workflow.start('agentPlan', {
        ...{ taskQueue, workflowId: `w-${randomUUID()}`, args: [{ plan }], workflowTaskTimeout },
        memo: { planFingerprint: fingerprint(plan) },
      }),
    async startWorker(breakAt = '') {
      // It runs in the folder: that it broke is remembered there, also where the ledger is no file.
      const worker = new Program('./worker.ts', join(folder, 'worker.log'), folder);
      workers.push(worker);
      await worker.start({
        ...{ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', TEMPORAL_TASK_QUEUE: taskQueue },
        ...{ STRIPE_SECRET_KEY: 'sk_test_break', STRIPE_API_BASE: sandbox.stripeUrl },
        ...{ RESEND_API_KEY: 're_break', RESEND_BASE_URL: sandbox.mailUrl },
        ...{ LEDGER_URL: database?.url ?? `file:${join(folder, 'ledger.db')}` },
        ...{ POLICY_FILE: join(folder, 'policy.json'), CLOCK_OFFSET: '', CHAOS_SABOTAGE: '', BREAK_AT: breakAt },
        CHAOS_WORKFLOW_BUNDLE: inject('workflowBundle'),
      });
      return worker;
    },
    untilPolled: (workers) =>
      vi.waitFor(async () => {
        const { TASK_QUEUE_TYPE_ACTIVITY: taskQueueType } = proto.temporal.api.enums.v1.TaskQueueType;
        const asked = { namespace: 'default', taskQueue: { name: taskQueue }, taskQueueType };
        const { pollers } = await connection.workflowService.describeTaskQueue(asked);
        if (pollers.length < workers) throw new Error(`${pollers.length} workers ask`);
      }, patience),
  };
}
