/* Hours and months between two attempts or two plans, by the clocks of the worker, of the ledger and of the provider. */
import { expect, test, vi, type TestContext } from 'vitest';
import { patience } from '../limits.js';
import { charge, email } from '../rig/plans.js';
import { impatientPolicy } from '../rig/policies.js';
import type { Rig } from '../rig/rig.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';

const hour = 3_600_000;

interface TimeMachine {
  rig: Rig;
  advance: (ms: number) => void;
}

async function withTimeMachine(context: TestContext): Promise<TimeMachine> {
  let offset = 0;
  const rig = await withRig(context, { now: () => Date.now() + offset });
  const advance = (ms: number): void => {
    offset += ms;
    rig.sandbox.advanceClock(ms);
  };
  return { rig, advance };
}

test('a slow success, asked for again two hours later, is the same one (case 01)', async (context) => {
  const { rig, advance } = await withTimeMachine(context);
  rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'hang', times: 1 });
  // The charge is seen long before it is asked for again.
  const policy = { activity: { ...impatientPolicy.activity, initialInterval: '2s', maximumInterval: '2s' } };
  const handle = await rig.start({ steps: [charge(), email()] }, { policy });
  await vi.waitUntil(() => rig.sandbox.effects().charges.length === 1, patience);
  advance(2 * hour);

  const { report } = await rig.outcome(handle);

  expect(report.status).toBe('completed');
  const asks = rig.sandbox.effects().requests.filter(({ path }) => path === '/v1/payment_intents');
  const [executed, ...others] = asks.map(({ answer }) => answer);
  expect(executed).toBe('executed');
  // On a busy machine the next answer may come too late as well.
  expect(new Set(others)).toEqual(new Set(['replayed']));
  expect(new Set(asks.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
  const [first, second] = asks.map(({ at }) => Date.parse(at));
  expect(Number(second) - Number(first)).toBeGreaterThan(2 * hour);
  expect(world(rig.sandbox)).toMatchObject({ charged: [2500], emails: 1 });
});

test('the same plan a month later is another plan under an id of its own, and the same one under the old id (case 15)', async (context) => {
  const { rig, advance } = await withTimeMachine(context);
  const plan = { steps: [charge(2500, { metadata: { order: '7' } })] };
  const [january, february] = [rig.newId(), rig.newId()];
  const first = await rig.run(plan, { workflowId: january });
  advance(31 * 24 * hour);

  await rig.run(plan, { workflowId: february });
  const again = await rig.run(plan, { workflowId: january });

  expect(world(rig.sandbox)).toMatchObject({ charged: [2500, 2500] });
  expect(again.report.steps[0]).toMatchObject({ result: first.report.steps[0]?.result, attempts: 1, replays: 1 });
  expect(rig.sandbox.effects().requests).toHaveLength(2);
});
