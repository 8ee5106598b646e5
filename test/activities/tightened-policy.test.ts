/* The worker's policy is asked as long as surely nothing was done, and no more once something may have been (promise 7). */
import { expect, test } from 'vitest';
import type { Policy } from '../../src/plan/policy.js';
import type { StepOf } from '../../src/plan/plan-schema.js';
import { withActivityRig } from '../rig/activity-rig.js';
import { world } from '../rig/world.js';

const step: StepOf<'charge'> = {
  tool: 'charge',
  args: { amount: 9900, currency: 'usd', payment_method: 'pm_card_visa' },
};

test.for([
  ['limits', { limits: { usd: 100 } }],
  ['approveAbove', { approveAbove: { usd: 100 } }],
] as const)('%s tightened between two attempts', async ([, tightened], context) => {
  for (const [fault, charged] of [
    ['429', []],
    ['drop', [9900]],
  ] as const) {
    const policy: Policy = {};
    const rig = await withActivityRig(context, { policy });
    const input = rig.input(step, step.args);
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault });
    await expect(rig.attempt('charge', input)).rejects.toThrow();
    const record = await rig.ledger.find(input.key);
    Object.assign(policy, tightened);

    const second = rig.attempt('charge', input);

    if (fault === 'drop') expect(await second).toMatchObject({ result: { amount: 9900 } });
    else {
      await expect(second).rejects.toMatchObject({ name: 'PolicyRefused' });
      expect(await rig.ledger.find(input.key)).toEqual(record);
    }
    expect(world(rig.sandbox).charged).toEqual(charged);
  }
});
