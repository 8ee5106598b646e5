import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions as ServerWorkerOptions,
} from '@temporalio/worker';
import { type Logger, pino } from 'pino';
import { Resend } from 'resend';
import Stripe from 'stripe';
import { type ActivityDeps, createActivities } from './activities/activities.js';
import { createStripe } from './activities/stripe-client.js';
import { createBreakAt } from './break-at.js';
import { UsageError } from './command.js';
import type { WorkerConfig } from './config.js';
import type { Ledger } from './ledger/ledger.js';
import { ledgerFile, openLedger } from './ledger/open-ledger.js';

/** Longer than the default request time-out: an attempt on its way brings its answer home before the worker leaves. */
const shutdownGraceTime = '15s';
/**
 * What is still at work then waits for something that is away, such as the ledger, and the SDK would wait with it; its own
 * `shutdownForceTime` leaves the process behind. A killed worker loses nothing: another one is given the work.
 */
const shutdownLimitMs = 20_000;
/** Stripe answers in a second or two; a worker that cannot reach it says so soon. */
const stripeTimeoutMs = 10_000;

export interface WorkerOptions {
  /** Workflow code; by default the bundle built ahead, or the source. */
  workflowCode?: Pick<ServerWorkerOptions, 'workflowBundle' | 'workflowsPath'>;
  /** For experiments on the activities: replaces parts of what they are given. */
  change?: (deps: ActivityDeps) => ActivityDeps;
}

/**
 * Runs a worker until SIGINT or SIGTERM, which let the attempts on their way end. Prints one JSON line on stdout when it
 * is ready; logs go to stderr. Throws `InputError` or `UsageError` for what the operator has to put right.
 */
export async function runWorker(config: WorkerConfig, options: WorkerOptions = {}): Promise<void> {
  const { temporal, taskQueue } = config;
  const { namespace } = temporal;
  const log = pino({ base: { pid: process.pid } }, pino.destination({ dest: 2, sync: true }));
  const now = (): number => Date.now() + config.clockOffset;
  const stripe = createStripe(config.stripe);
  const stripeAccount = await findAccount(stripe);
  const ledger = await open(config, now);
  try {
    // Not before: it keeps the process alive until something that uses it has come and gone.
    installRuntime(log);
    const connection = await connect(config);
    try {
      const deps: ActivityDeps = {
        stripe,
        stripeAccount,
        resend: new Resend(config.resend.apiKey, config.resend.baseUrl ? { baseUrl: config.resend.baseUrl } : {}),
        emailFrom: config.resend.from,
        ledger,
        policy: config.policy,
        log,
        now,
        breakAt: createBreakAt(config.breakPoint, ledgerFile(config.ledgerUrl)),
      };
      const worker = await Worker.create({
        ...(options.workflowCode ?? workflowCode()),
        connection,
        namespace,
        taskQueue,
        shutdownGraceTime,
        activities: createActivities(options.change?.(deps) ?? deps),
      });
      const running = worker.run();
      process.stdout.write(`${JSON.stringify({ ready: true, taskQueue, namespace, stripeAccount })}\n`);
      await running;
    } finally {
      await connection.close();
    }
  } finally {
    await ledger.close();
  }
}

/** Temporal's own lines go among ours: one JSON line each, on stderr. */
function installRuntime(log: Logger): void {
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      if (message === 'Activity failed') return; // said better by our own line about the attempt
      log[level === 'ERROR' ? 'error' : 'warn']({ source: 'temporal', ...meta }, message);
    }),
    // The SDK's native part prints on stdout unless it is told to hand its lines on; stdout is for programs.
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  });
  const leave = (): void => {
    log.warn('stopped with work on its way, which another worker will be given');
    process.exit(0);
  };
  // The Runtime acts on the first signal and takes its handlers away; a second one would then kill. A single Ctrl-C is
  // enough for that: the terminal sends it, and npm passes it on once more.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void setTimeout(leave, shutdownLimitMs).unref());
  }
}

/** A bundle built ahead (`npm run build`) halves the start; from source the code is bundled now. */
function workflowCode(): { workflowBundle: { codePath: string } } | { workflowsPath: string } {
  const codePath = fileURLToPath(new URL('./workflow-bundle.js', import.meta.url));
  if (existsSync(codePath)) return { workflowBundle: { codePath } };
  return { workflowsPath: fileURLToPath(new URL('./workflows/index.ts', import.meta.url)) };
}

/** Stripe's answer shows that the key works, and whose key space it is. */
async function findAccount(stripe: Stripe): Promise<string> {
  let reason = 'what answers is not Stripe';
  try {
    const { id } = await stripe.accounts.retrieveCurrent({}, { timeout: stripeTimeoutMs });
    // The client takes any JSON without an `error` for a success, whatever its status.
    if (/^acct_\w/.test(id)) return id;
  } catch (error) {
    reason = error instanceof Stripe.errors.StripeError ? error.message : 'no answer';
  }
  throw new UsageError(`Stripe does not answer for STRIPE_SECRET_KEY (${reason}); is STRIPE_API_BASE right?`);
}

async function open({ ledgerUrl }: WorkerConfig, now: () => number): Promise<Ledger> {
  try {
    const ledger = await openLedger(ledgerUrl, now);
    await ledger.checkWritable();
    return ledger;
  } catch (error) {
    throw new UsageError(`The ledger cannot be used (${(error as Error).message}); is LEDGER_URL right?`);
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
