/* The worker's policy is tightened between two runs of a plan: nothing more is begun, and what was done is known. */
import { expect, test, vi } from 'vitest';
import type { Policy } from '../../src/plan/policy.js';
import { patience } from '../limits.js';
import { charge, declined, email } from '../rig/plans.js';
import { longPauses } from '../rig/policies.js';
import { untilWaiting } from '../rig/server-calls.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';

test.for(['stop', 'undo'])(
  'the plan is refused, and reports what the earlier run did (%s)',
  async (onFailure, context) => {
    const policy: Policy = {};
    const rig = await withRig(context, { deps: { policy } });
    const workflowId = rig.newId();
    const plan = { onFailure, steps: [charge(), { ...email(), approval: true }] };
    const first = await rig.start(plan, { workflowId });
    await untilWaiting(first, 1);
    await first.terminate();
    policy.limits = { usd: 100 };

    const { report, failure } = await rig.run(plan, { workflowId });

    expect(failure?.type).toBe('PolicyRefused');
    expect(report.steps).toMatchObject([{ status: 'succeeded' }, { status: 'skipped' }]);
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500], emails: 0 });
  },
);

test('an undo that was cut off comes to its end all the same', async (context) => {
  const policy: Policy = {};
  const rig = await withRig(context, { deps: { policy } });
  const workflowId = rig.newId();
  const plan = { onFailure: 'undo', steps: [charge(), declined()] };
  rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault: '502-before', times: 'always' });
  const first = await rig.start(plan, { workflowId, policy: longPauses });
  await vi.waitFor(() => expect(world(rig.sandbox).posts).toContain('/v1/refunds'), patience);
  rig.sandbox.clearFaults();
  await first.terminate();
  policy.limits = { usd: 100 };

  const { report } = await rig.run(plan, { workflowId });

  expect(report).toMatchObject({ status: 'undone', steps: [{ status: 'undone' }, {}] });
  expect(world(rig.sandbox)).toMatchObject({ charged: [2500], refunded: [2500] });
  // Once more: there is nothing left, and the report of the refused run says so.
  const again = await rig.run(plan, { workflowId });
  expect(again.failure?.type).toBe('PlanClosed');
  expect(again.report.steps).toMatchObject([{ status: 'undone' }, { status: 'failed' }]);
});

test("a new plan that is beyond the worker's policy leaves its id free for another", async (context) => {
  const rig = await withRig(context, { deps: { policy: { limits: { usd: 5000 } } } });
  const workflowId = rig.newId();
  expect((await rig.run({ steps: [charge(9900)] }, { workflowId })).failure?.type).toBe('PolicyRefused');
  expect((await rig.run({ steps: [charge(2500)] }, { workflowId })).report.status).toBe('completed');
  expect(world(rig.sandbox).charged).toEqual([2500]);
});
