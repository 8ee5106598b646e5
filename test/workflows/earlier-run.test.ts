import { describe, expect, test } from 'vitest';
import { charge, email } from '../rig/plans.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';

const lookup = { tool: 'lookup_charge', args: { charge: 0 } };
const noReads = {
  service: 'stripe',
  match: 'GET /v1/payment_intents/*',
  fault: '502-before',
  times: 'always',
} as const;
const fewAttempts = {
  activity: { requestTimeout: '600ms', startToCloseTimeout: '2s', initialInterval: '50ms', maximumAttempts: 2 },
};

/** Found by chaos (seed 2): a second run that ended earlier than the first knew nothing of what the first had done. */
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

  test('undoes it', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    const cited = charge(4000, { description: 'After {{1.status}}' });
    const plan = { onFailure: 'undo', steps: [charge(2500), lookup, cited, { ...email(), approval: true }] };
    const handle = await rig.start(plan, { workflowId });
    while (world(rig.sandbox).charged.length < 2) await new Promise(setImmediate);
    await handle.terminate();
    rig.sandbox.addFault(noReads);
    const { report } = await rig.run(plan, { workflowId, policy: fewAttempts });
    expect(report).toMatchObject({
      status: 'undone',
      steps: [{ status: 'undone' }, { status: 'failed' }, { status: 'undone' }, { status: 'skipped' }],
    });
    expect(world(rig.sandbox)).toMatchObject({ refunded: [4000, 2500], net: 0 });
  });
});
