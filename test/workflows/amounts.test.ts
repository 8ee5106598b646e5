/* Stripe's own bounds, end to end (case 75): the plan takes what is an amount at all, Stripe says the rest. */
import { describe, expect, test } from 'vitest';
import { charge, email } from '../rig/plans.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';

const plan = (amount: number, currency: string) => ({ steps: [charge(amount, { currency }), email()] });

describe.concurrent('a charge', () => {
  test.for([
    [50, 'usd'],
    [99_999_999, 'usd'],
  ] as const)('of %i %s is made', async ([amount, currency], context) => {
    const rig = await withRig(context);
    expect((await rig.run(plan(amount, currency))).report).toMatchObject({ status: 'completed' });
    expect(world(rig.sandbox)).toMatchObject({ charged: [amount], emails: 1 });
  });

  // What Stripe would refuse is known before: nothing is asked for, and a first step that could be done is not done.
  test.for([
    [49, 'usd', "at least 50 ($0.50), Stripe's minimum charge in usd"],
    [5, 'jpy', "at least 50 (¥50), Stripe's minimum charge in jpy"],
    [100_000_000, 'usd', 'at most 99999999, the largest amount that Stripe takes'],
  ] as const)('of %i %s is refused with its plan', async ([amount, currency, reason], context) => {
    const rig = await withRig(context);
    const { failure } = await rig.run({ steps: [email(), ...plan(amount, currency).steps] });
    expect(failure).toEqual({ type: 'PlanInvalid', message: `plan: steps[1].args.amount: must be ${reason}` });
    expect(world(rig.sandbox)).toMatchObject({ charged: [], emails: 0, posts: [] });
  });
});
