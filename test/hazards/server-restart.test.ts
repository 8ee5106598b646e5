/*
 * The Temporal server is killed in the middle of a plan, while a charge is committed and its answer on the way, and
 * started again with the same database and port. The worker was there all the time.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LocalTemporal, startTemporal } from '../../src/sandbox/temporal/start.js';
import { charge, email, refund } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { withStage } from './stage.js';
import { createHold, layWire } from './wire.js';

test('a server that is killed and started again goes on with the plan: one effect a step', async (context) => {
  const { onTestFinished } = context;
  const folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
  const dbFile = join(folder, 'temporal.db');
  let temporal: LocalTemporal = await startTemporal({ headless: true, dbFile });
  onTestFinished(async () => {
    await temporal.stop();
    await rm(folder, { recursive: true });
  });
  const stage = await withStage(context, temporal.address);
  const hold = createHold();
  const wire = await layWire(stage.sandbox.stripeUrl, {
    async answer(path, answer) {
      if (path === '/v1/payment_intents') await hold.pass();
      return answer;
    },
  });
  onTestFinished(() => wire.close());
  await stage.startWorker({ stripeUrl: wire.url });
  const handle = await stage.start({ steps: [charge(), refund(0, 1000), email()] });
  await hold.reached;

  process.kill(temporal.pid, 'SIGKILL');
  await temporal.ended;
  // The attempt brings its answer home, and there is nobody to tell it to.
  hold.open();
  temporal = await startTemporal({ headless: true, dbFile, port: { exactly: temporal.port } });

  expect(await handle.result()).toMatchObject({ status: 'completed' });
  expect(world(stage.sandbox)).toMatchObject({ charged: [2500], refunded: [1000], emails: 1 });
  expect(new Set(stage.sandbox.effects().requests.map(({ key }) => key)).size).toBe(3);
});
