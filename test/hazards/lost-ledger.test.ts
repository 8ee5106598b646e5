/* The ledger is lost while a plan waits for a person: what the run itself has done is still given back, for good. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { charge } from '../rig/plans.js';
import { openTestLedger } from '../rig/test-ledger.js';
import { world } from '../rig/world.js';
import { reject, report, untilWaiting } from '../rig/server-calls.js';
import { withStage } from './stage.js';

test('an undo on an empty ledger gives back what the run has charged, and closes the plan', async (context) => {
  const stage = await withStage(context);
  const folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
  const { ledger, remove } = await openTestLedger(join(folder, 'empty.db'));
  context.onTestFinished(async () => {
    await remove();
    await rm(folder, { recursive: true });
  });
  const stop = await stage.startWorker();
  const plan = { onFailure: 'undo', steps: [charge(), { ...charge(9900), approval: true }] };
  const handle = await stage.start(plan);
  const key = await untilWaiting(handle, 1);
  await stop();
  await stage.startWorker({ change: () => ({ ledger }) });

  await reject(handle, 1, key);

  await expect(handle.result()).rejects.toThrow();
  expect(await report(handle)).toMatchObject({ status: 'undone', steps: [{ status: 'undone' }, { status: 'failed' }] });
  expect(world(stage.sandbox)).toMatchObject({ charged: [2500], refunded: [2500] });
  const again = await stage.start(plan, { workflowId: handle.workflowId });
  await expect(again.result()).rejects.toHaveProperty('cause.type', 'PlanClosed');
});
