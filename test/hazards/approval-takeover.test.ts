/* A worker ends while a plan waits for a person (case 64). The next one takes over, and does not begin again. */
import { expect, test } from 'vitest';
import type { Plan } from '../../src/plan/plan-schema.js';
import { charge, email } from '../rig/plans.js';
import { withProcessRig } from '../rig/process-rig.js';
import { world } from '../rig/world.js';
import { approve, untilWaiting } from '../rig/server-calls.js';
import { withStage } from './stage.js';

const plan = { steps: [charge(), { ...email(), approval: true }] };

test.for(['when the next worker is there', 'while no worker is there'] as const)(
  'a worker ends during the wait; approved twice, %s',
  async (when, context) => {
    const stage = await withStage(context);
    const stopFirst = await stage.startWorker();
    const handle = await stage.start(plan);
    const key = await untilWaiting(handle, 1);
    await stopFirst();

    const whileAlone = when === 'while no worker is there' ? approve(handle, 1, key) : undefined;
    await stage.startWorker();
    const first = await (whileAlone ?? approve(handle, 1, key));
    const second = await approve(handle, 1, key);

    expect(second).toEqual(first);
    expect(await handle.result()).toMatchObject({ status: 'completed', steps: [{ replays: 0 }, { approval: first }] });
    expect(world(stage.sandbox)).toMatchObject({
      charged: [2500],
      emails: 1,
      posts: ['/v1/payment_intents', '/emails'],
    });
  },
);

test('a worker is killed during the wait; approved twice', async (context) => {
  const rig = await withProcessRig(context, { activity: { requestTimeout: '30s', startToCloseTimeout: '60s' } });
  const first = await rig.startWorker();
  const handle = await rig.start(plan as Plan);
  const key = await untilWaiting(handle, 1);
  await first.kill();

  await rig.startWorker();
  const decided = await approve(handle, 1, key);
  expect(await approve(handle, 1, key)).toEqual(decided);

  expect(await handle.result()).toMatchObject({ status: 'completed', steps: [{ replays: 0 }, { approval: decided }] });
  expect(world(rig.sandbox)).toMatchObject({ charged: [2500], emails: 1, posts: ['/v1/payment_intents', '/emails'] });
});
