import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode } from '@temporalio/worker';
import ms from 'ms';
import type { ClientContext } from '../../src/client/temporal.js';
import type { Teardown } from '../../src/demo/teardown.js';
import { type LocalTemporal, startTemporal } from '../../src/sandbox/temporal/start.js';
import { createDatabase } from '../rig/postgres.js';
import type { ChaosOptions } from './options.js';
import { workerPolicy } from './policy.js';
import { Program } from './program.js';
import { SandboxProgram } from './sandbox-program.js';

/** Past every memory of a provider, and past the hour that the ledger leaves for clocks that differ. */
const aDay = '25h';
/** The server answers in milliseconds; one that is just being started again does not, and the call is made again. */
const callTimeout = 5_000;
const taskQueue = 'chaos';

/** Everything that a plan needs, each part of it a process that can be killed and goes on where it was. */
export class Stage {
  readonly workers: readonly Program[];
  readonly sandbox: SandboxProgram;
  readonly temporal: ClientContext;
  /** How far the clocks of workers and providers are ahead of this machine's; Temporal's server knows none of it. */
  clockOffset = 0;

  private constructor(
    private readonly folder: string,
    private server: LocalTemporal,
    connection: Connection,
    sandbox: SandboxProgram,
    ledgerUrl: string,
    private readonly options: ChaosOptions,
  ) {
    this.sandbox = sandbox;
    this.workers = Array.from(
      { length: options.workers },
      (_, index) => new Program('./worker.ts', join(folder, `worker-${index}.log`)),
    );
    this.temporal = {
      client: new Client({ connection }),
      ...{ namespace: 'default', address: server.address, taskQueue, ledgerUrl },
      call: (work, timeout = callTimeout) => connection.withDeadline(Date.now() + timeout, work),
    };
  }

  /** All of it is on the teardown's list as soon as it exists. */
  static async set(options: ChaosOptions, teardown: Teardown, keepFolder: () => boolean): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'agent-plans-chaos-'));
    teardown.add(async () => {
      if (keepFolder()) process.stderr.write(`The logs and databases are in ${folder}\n`);
      else await rm(folder, { recursive: true });
    });
    const workflowsPath = fileURLToPath(new URL('../../src/workflows/index.ts', import.meta.url));
    const { code } = await bundleWorkflowCode({ workflowsPath, logger: silent });
    await writeFile(join(folder, 'workflow-bundle.js'), code);
    await writeFile(join(folder, 'policy.json'), JSON.stringify(workerPolicy));

    const ledgerUrl = await emptyLedger(options.ledger, folder, teardown);
    const server = await startTemporal({ headless: true, dbFile: join(folder, 'temporal.db') });
    const connection = await Connection.connect({ address: server.address });
    const sandbox = new SandboxProgram(join(folder, 'sandbox.db'), join(folder, 'sandbox.log'));
    const stage = new Stage(folder, server, connection, sandbox, ledgerUrl, options);
    teardown.add(() => stage.server.stop());
    teardown.add(() => connection.close());
    teardown.add(() => sandbox.stop());
    await sandbox.start();
    for (const worker of stage.workers) teardown.add(() => worker.stop());
    await Promise.all(stage.workers.map((worker) => stage.startWorker(worker)));
    return stage;
  }

  /** What time it is for workers and providers. */
  now = (): number => Date.now() + this.clockOffset;

  async startWorker(worker: Program): Promise<void> {
    const { temporal, sandbox, folder, options } = this;
    await worker.start({
      ...{ TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: temporal.namespace, TEMPORAL_TASK_QUEUE: taskQueue },
      ...{ STRIPE_SECRET_KEY: 'sk_test_chaos', STRIPE_API_BASE: sandbox.addresses.stripeUrl },
      ...{ RESEND_API_KEY: 're_chaos', RESEND_BASE_URL: sandbox.addresses.mailUrl, EMAIL_FROM: '' },
      ...{ LEDGER_URL: temporal.ledgerUrl, POLICY_FILE: join(folder, 'policy.json') },
      ...{ CLOCK_OFFSET: `${this.clockOffset}ms`, BREAK_AT: '', CHAOS_SABOTAGE: options.sabotage ?? '' },
      CHAOS_WORKFLOW_BUNDLE: join(folder, 'workflow-bundle.js'),
    });
  }

  async restartTemporal(): Promise<void> {
    await this.server.stop();
    const port = { exactly: this.server.port };
    this.server = await startTemporal({ headless: true, dbFile: join(this.folder, 'temporal.db'), port });
  }

  /** For providers and workers it is a day later; the workers have to be stopped. */
  async passADay(): Promise<void> {
    await this.sandbox.advanceClock(aDay);
    this.clockOffset += ms(aDay);
  }
}

/** A database of this run's own: workflow ids repeat with the seed, and the ledger of another run knows them already. */
async function emptyLedger(url: string | undefined, folder: string, teardown: Teardown): Promise<string> {
  if (url === undefined) return `file:${join(folder, 'ledger.db')}`;
  const database = await createDatabase(url);
  teardown.add(() => database.drop());
  return database.url;
}

const ignore = (): void => undefined;
const silent = { log: ignore, trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
