import { describe, expect, test, vi } from 'vitest';
import { patience } from '../limits.js';
import { charge, declined, email } from '../rig/plans.js';
import { fewAttempts, longPauses } from '../rig/policies.js';
import type { Rig } from '../rig/rig.js';
import { reset, resetPoints, runIdOf, untilWaiting } from '../rig/server-calls.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';

const lookup = { tool: 'lookup_charge', args: { charge: 0 } };
const stripeDown = { service: 'stripe', fault: '502-before', times: 'always' } as const;
const noReads = { ...stripeDown, match: 'GET /v1/payment_intents/*' } as const;
const noRefunds = { ...stripeDown, match: 'POST /v1/refunds' } as const;

/** Two charges with a read between them, then a person: a run that ends at the read never comes to the second charge. */
const undoing = {
  onFailure: 'undo',
  steps: [charge(2500), lookup, charge(4000, { description: 'After {{1.status}}' }), { ...email(), approval: true }],
};

/** To before the plan was opened, which is done in the first workflow task, or to after that. */
async function resetTo({ client }: Rig, workflowId: string, which: 'first' | 'second'): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  const points = await resetPoints(handle);
  const point = points[which === 'first' ? 0 : 1];
  if (!point) throw new Error('the run cannot be reset');
  await reset(client, workflowId, await runIdOf(handle), point);
}

test('an undo that was cut off comes to its end, and nobody is asked for what is left of the plan', async (context) => {
  const rig = await withRig(context);
  const workflowId = rig.newId();
  const plan = { onFailure: 'undo', steps: [charge(), { ...charge(9900), approval: true }] };
  rig.sandbox.addFault(noRefunds);
  const first = await rig.start(plan, { workflowId, policy: longPauses });
  await untilWaiting(first, 1);
  await first.cancel();
  await vi.waitUntil(() => world(rig.sandbox).posts.includes('/v1/refunds'), patience);
  rig.sandbox.clearFaults();
  await first.terminate();

  const { report } = await rig.run(plan, { workflowId });
  expect(report).toMatchObject({ status: 'undone', steps: [{ status: 'undone' }, { status: 'skipped' }] });
  expect(world(rig.sandbox)).toMatchObject({ charged: [2500], refunded: [2500] });
});

/** Found by chaos: a run that ended earlier than the one before knew nothing of what that one had done. */
describe.concurrent('a run that ends before it comes to what an earlier run did', () => {
  test('does not report it as skipped', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    const plan = { steps: [charge(), lookup, email()] };
    await rig.run(plan, { workflowId });
    rig.sandbox.addFault(noReads);
    const { report } = await rig.run(plan, { workflowId, policy: fewAttempts });
    expect(report).toMatchObject({
      status: 'failed',
      steps: [{ status: 'succeeded' }, { status: 'failed' }, { status: 'succeeded' }],
    });
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500], emails: 1 });
  });

  test('gives no advice that an undone plan does not follow', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    const plan = { onFailure: 'undo', steps: [charge(), lookup, email()] };
    rig.sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'drop' });
    const handle = await rig.start(plan, { workflowId, policy: longPauses });
    await vi.waitUntil(() => world(rig.sandbox).emails === 1, patience);
    await handle.terminate();
    rig.sandbox.addFault(noReads);
    const { report } = await rig.run(plan, { workflowId, policy: fewAttempts });
    expect(report.steps).toMatchObject([{ status: 'undone' }, { status: 'failed' }, { status: 'outcome_unknown' }]);
    expect(report.steps[2]?.error?.message).toMatch(/the undone plan asks no more/);
    expect((await rig.run(plan, { workflowId })).failure?.type).toBe('PlanClosed');
    expect(world(rig.sandbox).emails).toBe(1);
  });

  test('undoes it', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    const handle = await rig.start(undoing, { workflowId });
    await vi.waitUntil(() => world(rig.sandbox).charged.length === 2, patience);
    await handle.terminate();
    rig.sandbox.addFault(noReads);
    const { report } = await rig.run(undoing, { workflowId, policy: fewAttempts });
    expect(report).toMatchObject({
      status: 'undone',
      steps: [{ status: 'undone' }, { status: 'failed' }, { status: 'undone' }, { status: 'skipped' }],
    });
    expect(world(rig.sandbox)).toMatchObject({ refunded: [4000, 2500], net: 0 });
  });

  test('undoes it although its own history, cut by a reset, says nothing of it', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    await rig.start(undoing, { workflowId, policy: fewAttempts });
    await vi.waitUntil(() => world(rig.sandbox).charged.length === 2, patience);
    rig.sandbox.addFault(noReads);
    await resetTo(rig, workflowId, 'second');
    const { report } = await rig.outcome(rig.client.workflow.getHandle(workflowId));
    expect(report.status).toBe('undone');
    expect(world(rig.sandbox)).toMatchObject({ refunded: [4000, 2500], net: 0 });
  });
});

describe.concurrent('an undo that is cut off', () => {
  test.for(['started again', 'reset to its beginning'] as const)(
    'is brought to its end when it is %s',
    async (how, context) => {
      const rig = await withRig(context);
      const workflowId = rig.newId();
      const plan = { onFailure: 'undo', steps: [charge(2500), charge(4000), email(), declined()] };
      rig.sandbox.addFault(noRefunds);
      const handle = await rig.start(plan, { workflowId, policy: longPauses });
      await vi.waitUntil(() => world(rig.sandbox).posts.includes('/v1/refunds'), patience);
      rig.sandbox.clearFaults();
      if (how === 'started again') await handle.terminate();
      else await resetTo(rig, workflowId, 'first');
      const { report } = await (how === 'started again'
        ? rig.run(plan, { workflowId })
        : rig.outcome(rig.client.workflow.getHandle(workflowId)));
      expect(report).toMatchObject({
        status: 'undone',
        steps: [{ status: 'undone' }, { status: 'undone' }, { status: 'succeeded' }, { status: 'failed' }],
      });
      expect(world(rig.sandbox)).toMatchObject({ refunded: [4000, 2500], net: 0, emails: 1 });
      // Now it is undone, and stays so.
      const { failure } = await rig.run(plan, { workflowId });
      expect(failure?.type).toBe('PlanClosed');
    },
  );
});
