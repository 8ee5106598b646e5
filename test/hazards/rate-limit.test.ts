/* More plans at once than the provider takes requests in a second (case 25): all are refused some time, none for good. */
import { expect, test } from 'vitest';
import { charge, email } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { withStage } from './stage.js';

const plans = 60;
/** Of which even a busy machine makes more. */
const requestsPerSecond = 5;
const policy = {
  activity: { requestTimeout: '10s', startToCloseTimeout: '30s', initialInterval: '1s', maximumInterval: '5s' },
};

test(`${plans} plans against ${requestsPerSecond} requests a second: each step happens once`, async (context) => {
  const stage = await withStage(context);
  await stage.startWorker();
  stage.sandbox.updateSettings({ rateLimit: requestsPerSecond });
  const plan = { steps: [charge(100), email()] };
  const handles = await Promise.all(Array.from({ length: plans }, () => stage.start(plan, { policy })));
  for (const handle of handles) expect(await handle.result()).toMatchObject({ status: 'completed' });
  const { charges, emails, requests } = stage.sandbox.effects();
  expect(world(stage.sandbox)).toMatchObject({ charged: { length: plans }, emails: plans, net: plans * 100 });
  for (const effects of [charges, emails]) expect(new Set(effects.map(({ key }) => key)).size).toBe(plans);
  const refused = requests.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
});
