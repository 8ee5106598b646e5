import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { Resend } from 'resend';
import Stripe from 'stripe';
import { createActivities } from './activities/activities.js';
import { createStripe } from './activities/stripe-client.js';
import { createBreakAt } from './break-at.js';
import { runCommand, UsageError } from './command.js';
import { readEnvironment, type WorkerConfig, workerConfig } from './config.js';
import type { Ledger } from './ledger/ledger.js';
import { ledgerFile, openLedger } from './ledger/open-ledger.js';

/** Longer than the default request time-out: an attempt on its way brings its answer home before the worker leaves. */
const shutdownGraceTime = '15s';

await runCommand(async () => {
  const config = workerConfig(readEnvironment());
  const log = pino({ base: { pid: process.pid } }, pino.destination({ dest: 2, sync: true }));
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      if (message === 'Activity failed') return; // said better by our own line about the attempt
      log[level === 'ERROR' ? 'error' : 'warn']({ source: 'temporal', ...meta }, message);
    }),
  });

  const now = (): number => Date.now() + config.clockOffset;
  const stripe = createStripe(config.stripe);
  const stripeAccount = await findAccount(stripe);
  const ledger = await open(config, now);
  const connection = await connect(config);
  try {
    const worker = await Worker.create({
      connection,
      namespace: config.temporal.namespace,
      taskQueue: config.taskQueue,
      ...workflowCode(),
      activities: createActivities({
        ...{ stripe, stripeAccount, ledger, log, now },
        resend: new Resend(config.resend.apiKey, config.resend.baseUrl ? { baseUrl: config.resend.baseUrl } : {}),
        emailFrom: config.resend.from,
        policy: config.policy,
        breakAt: createBreakAt(config.breakPoint, ledgerFile(config.ledgerUrl)),
      }),
      shutdownGraceTime,
    });
    // SIGINT and SIGTERM end `run` after the attempts on their way.
    const running = worker.run();
    const { taskQueue, temporal } = config;
    process.stdout.write(
      `${JSON.stringify({ ready: true, taskQueue, namespace: temporal.namespace, stripeAccount })}\n`,
    );
    await running;
    return 0;
  } finally {
    await connection.close();
    await ledger.close();
  }
});

/** A bundle built ahead (`npm run build`) halves the start; from source the code is bundled now. */
function workflowCode(): { workflowBundle: { codePath: string } } | { workflowsPath: string } {
  const codePath = fileURLToPath(new URL('./workflow-bundle.js', import.meta.url));
  if (existsSync(codePath)) return { workflowBundle: { codePath } };
  return { workflowsPath: fileURLToPath(new URL('./workflows/index.ts', import.meta.url)) };
}

/** Stripe's answer shows that the key works, and whose key space it is. */
async function findAccount(stripe: Stripe): Promise<string> {
  try {
    return (await stripe.accounts.retrieveCurrent()).id;
  } catch (error) {
    const reason = error instanceof Stripe.errors.StripeError ? error.message : 'no answer';
    throw new UsageError(`Stripe does not answer for STRIPE_SECRET_KEY (${reason}); is STRIPE_API_BASE right?`);
  }
}

async function open({ ledgerUrl }: WorkerConfig, now: () => number): Promise<Ledger> {
  try {
    return await openLedger(ledgerUrl, now);
  } catch (error) {
    throw new UsageError(`The ledger cannot be opened (${(error as Error).message}); is LEDGER_URL right?`);
  }
}

async function connect({ temporal }: WorkerConfig): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect(temporal.connection);
  } catch (error) {
    const address = temporal.connection.address ?? 'localhost:7233';
    throw new UsageError(
      `No Temporal server at ${address} (${(error as Error).message}); start one with "npm run temporal"`,
    );
  }
}
