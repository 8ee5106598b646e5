import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { Resend } from 'resend';
import { createStripe } from '../activities/stripe-client.js';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.js';
import { resolveTemporal } from '../sandbox/temporal/resolve.js';
import { createBrokenActivities } from './broken/activities.js';
import { type Teardown, whenStopped } from './teardown.js';
import { startWorker } from './worker-process.js';

const secretKey = 'sk_test_sandbox';
const resendKey = 're_sandbox';

/** Everything the demo needs, on free ports, for this run alone. */
export interface Stage {
  client: Client;
  sandbox: Sandbox;
  taskQueue: string;
  brokenTaskQueue: string;
  /** The Web UI, where it is known. */
  webUi(workflowId: string): string | undefined;
}

/**
 * Puts up Temporal, the sandbox and both workers. All of it is on the teardown's list as soon as it exists. Rejects when
 * the signal aborts, without waiting for what cannot be hurried.
 */
export async function setStage(
  requestTimeout: number,
  teardown: Teardown,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-plans-demo-'));
  teardown.add(() => rm(folder, { recursive: true }));
  const temporal = await resolveTemporal({ log, signal });
  teardown.add(() => temporal.stop());
  const sandbox = await startSandbox({ database: join(folder, 'sandbox.db') });
  teardown.add(() => sandbox.close());

  const taskQueue = `demo-${randomUUID()}`;
  const brokenTaskQueue = `${taskQueue}-broken`;
  signal.throwIfAborted();
  log('starting the worker');
  const workers = Promise.all([
    startWorker(
      {
        ...process.env,
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: temporal.namespace,
        TEMPORAL_TASK_QUEUE: taskQueue,
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_API_BASE: sandbox.stripeUrl,
        RESEND_API_KEY: resendKey,
        RESEND_BASE_URL: sandbox.mailUrl,
        LEDGER_URL: `file:${join(folder, 'ledger.db')}`,
        // What is set for other occasions does not hold here.
        POLICY_FILE: '',
        BREAK_AT: '',
        CLOCK_OFFSET: '',
      },
      folder,
      teardown,
    ),
    startBrokenWorker(temporal, sandbox, brokenTaskQueue, requestTimeout, teardown, signal),
  ]);
  await Promise.race([whenStopped(signal), workers]);
  // The end of the process closes it. Closed before, while a call of its waits for its next try, it throws from a timer.
  const connection = await Connection.connect({ address: temporal.address });
  return {
    client: new Client({ connection, namespace: temporal.namespace }),
    sandbox,
    taskQueue,
    brokenTaskQueue,
    webUi: (workflowId) =>
      temporal.uiUrl &&
      `${temporal.uiUrl}/namespaces/${temporal.namespace}/workflows/${encodeURIComponent(workflowId)}`,
  };
}

async function startBrokenWorker(
  { address, namespace }: { address: string; namespace: string },
  { stripeUrl, mailUrl }: Sandbox,
  taskQueue: string,
  requestTimeout: number,
  teardown: Teardown,
  signal: AbortSignal,
): Promise<void> {
  // Its failing attempts are what the demo is about; the timeline shows them better. Ctrl-C is the demo's to handle.
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  const workflowsPath = fileURLToPath(new URL('./broken/workflow.ts', import.meta.url));
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  signal.throwIfAborted();
  const connection = await NativeConnection.connect({ address });
  teardown.add(() => connection.close());
  const stripe = createStripe({ secretKey, apiBase: new URL(stripeUrl) });
  const resend = new Resend(resendKey, { baseUrl: mailUrl });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle,
    activities: createBrokenActivities({ stripe, resend, requestTimeout }),
  });
  const running = worker.run();
  teardown.add(async () => {
    worker.shutdown();
    await running;
  });
}
