/* Every charge takes longer than the time-out of its request (case 10): each is sent again while the first is at work. */
import { expect, test } from 'vitest';
import { charge } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { withStage } from './stage.js';

const plans = 20;
const provider = { service: 'stripe', match: 'POST /v1/payment_intents', fault: 'slow', delayMs: 8_000 } as const;
const policy = {
  activity: { requestTimeout: '3s', startToCloseTimeout: '20s', initialInterval: '200ms', maximumInterval: '1s' },
};

test('20 plans at once with a time-out shorter than the work: 20 charges', async (context) => {
  const stage = await withStage(context);
  await stage.startWorker();
  stage.sandbox.addFault({ ...provider, times: 'always' });
  const handles = await Promise.all(
    Array.from({ length: plans }, () => stage.start({ steps: [charge()] }, { policy })),
  );
  for (const handle of handles) expect(await handle.result()).toMatchObject({ status: 'completed' });
  const { charged, net } = world(stage.sandbox);
  expect(charged).toHaveLength(plans);
  expect(net).toBe(plans * 2_500);
  const { requests, charges } = stage.sandbox.effects();
  expect(new Set(charges.map(({ key }) => key)).size).toBe(plans);
  // All of them were given up on at least once, and asked for again beside the first request.
  for (const { key } of charges) {
    const made = requests.filter((request) => request.key === key);
    expect(made[0]).toMatchObject({ answer: 'executed', status: null });
    expect(made.map(({ answer, status }) => ({ answer, status }))).toContainEqual({ answer: 'replayed', status: 200 });
  }
  expect(requests.some(({ answer }) => answer === 'in_flight')).toBe(true);
});
