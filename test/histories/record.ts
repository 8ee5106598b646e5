/*
 * `npm run histories`: runs each course on a server of its own and keeps its history here, for `replay.test.ts`. To be done
 * again when workflow code has changed on purpose; the old files show whether plans that are under way survive that.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { Resend } from 'resend';
import { createActivities } from '../../src/activities/activities.js';
import { createStripe } from '../../src/activities/stripe-client.js';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { fingerprint } from '../../src/plan/fingerprint.js';
import { startSandbox } from '../../src/sandbox/sandbox.js';
import { startTemporal } from '../../src/sandbox/temporal/start.js';
import { courses, spendingLimit } from './courses.js';
import '../rig/quiet-runtime.js';

const { History } = proto.temporal.api.history.v1;
/** As protobufjs reads it again; the SDK's `historyToJSON` fails where npm has installed protobufjs more than once. */
const readable = { longs: String, enums: String, bytes: String };

const taskQueue = 'agent-plans';
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
const sandbox = await startSandbox();
const ledger = await openLedger(`file:${join(folder, 'ledger.db')}`);
const temporal = await startTemporal({ headless: true });
const { address } = temporal;
const connection = await Connection.connect({ address });
const nativeConnection = await NativeConnection.connect({ address });
// By default an identity is a process and a host.
const client = new Client({ connection, identity: 'client' });
const worker = await Worker.create({
  ...{
    connection: nativeConnection,
    taskQueue,
    identity: 'worker',
    workflowsPath: here('../../src/workflows/index.ts'),
  },
  activities: createActivities({
    stripe: createStripe({ secretKey: 'sk_test_recorded', apiBase: new URL(sandbox.stripeUrl) }),
    stripeAccount: 'acct_recorded',
    resend: new Resend('re_recorded', { baseUrl: sandbox.mailUrl }),
    emailFrom: 'Shop <orders@example.com>',
    policy: { limits: { usd: spendingLimit } },
    ...{ ledger, now: Date.now, breakAt: () => undefined, log: pino({ level: 'silent' }) },
  }),
});
const running = worker.run();

for (const [name, play] of Object.entries(courses)) {
  const workflowId = `order-${name}`;
  await play({
    ...{ client, sandbox, workflowId },
    start: (plan, policy = {}) =>
      client.workflow.start('agentPlan', {
        ...{ taskQueue, workflowId, args: [{ plan, policy }], memo: { planFingerprint: fingerprint(plan) } },
      }),
  });
  sandbox.clearFaults();
  const latest = client.workflow.getHandle(workflowId);
  const history = History.toObject(History.create(await latest.fetchHistory()), readable);
  await writeFile(here(`${name}.json`), `${JSON.stringify(history, withoutStackTrace, 1)}\n`);
  process.stderr.write(`${name}\n`);
}

worker.shutdown();
await running;
await nativeConnection.close();
await connection.close();
await temporal.stop();
await sandbox.close();
await ledger.close();
await rm(folder, { recursive: true });

/** A replay reads no stack traces, and they tell where this was recorded. */
function withoutStackTrace(name: string, value: unknown): unknown {
  return name === 'stackTrace' ? undefined : value;
}
