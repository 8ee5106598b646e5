import { describe, expect, test } from 'vitest';
import { fingerprint } from '../../src/plan/fingerprint.js';
import { charge, declined, email, refund } from '../rig/plans.js';
import { approve, untilWaiting } from '../rig/server-calls.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';

describe.concurrent('a plan', () => {
  test('does two identical steps twice', async (context) => {
    const rig = await withRig(context);
    const { report } = await rig.run({ steps: [charge(), charge(), email(), email()] });
    expect(report.status).toBe('completed');
    expect(new Set(report.steps.map(({ key }) => key)).size).toBe(4);
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500, 2500], emails: 2 });
  });

  test('makes equal partial refunds both, each once', async (context) => {
    const rig = await withRig(context);
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault: 'drop', times: 2 });
    const { report } = await rig.run({ steps: [charge(5000), refund(0, 1000), refund(0, 1000)] });
    expect(report.status).toBe('completed');
    expect(world(rig.sandbox)).toMatchObject({ charged: [5000], refunded: [1000, 1000] });
  });

  test('refunds all that the charge took when it names no amount', async (context) => {
    const rig = await withRig(context);
    const { report } = await rig.run({ steps: [charge(5000), refund(0)] });
    expect(report.steps[1]?.result).toMatchObject({ amount: 5000, status: 'succeeded' });
    expect(world(rig.sandbox)).toMatchObject({ refunded: [5000], net: 0 });
  });

  test("reports Stripe's refusal of an over-refund as it is, and stops", async (context) => {
    const rig = await withRig(context);
    const { report } = await rig.run({ steps: [charge(2500), refund(0, 3000), email('refunded')] });
    expect(report.status).toBe('failed');
    expect(report.steps[1]?.error?.message).toMatch(/greater than unrefunded amount/);
    expect(world(rig.sandbox)).toMatchObject({ refunded: [], emails: 0 });
    expect(world(rig.sandbox).posts).toEqual(['/v1/payment_intents', '/v1/refunds']);
  });

  test('asks once for a declined card, and again gives the same answer without asking', async (context) => {
    const rig = await withRig(context);
    const plan = { steps: [declined('pm_card_visa_chargeDeclinedStolenCard'), email()] };
    const workflowId = rig.newId();
    const first = await rig.run(plan, { workflowId });
    const second = await rig.run(plan, { workflowId });
    const error = { code: 'card_declined', decline_code: 'stolen_card' };
    expect(first.report.steps[0]).toMatchObject({ status: 'failed', attempts: 1, error });
    expect(second.report.steps[0]).toMatchObject({ status: 'failed', attempts: 1, error });
    expect(world(rig.sandbox)).toMatchObject({ charged: [], emails: 0, posts: ['/v1/payment_intents'] });
  });

  test('goes on where it failed when it is started again', async (context) => {
    const rig = await withRig(context);
    const plan = { steps: [charge(), email()] };
    const workflowId = rig.newId();
    rig.sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'reject-422' });
    const first = await rig.run(plan, { workflowId });
    expect(first.report.steps.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    const settled = await rig.run(plan, { workflowId });
    // A 422 is final under its key: what was refused stays refused, and the charge is not made again.
    expect(settled.report.steps.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500], emails: 0 });
  });

  test('is refused under the id of another plan, before anything is sent', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    await rig.run({ steps: [declined()] }, { workflowId });
    const { failure } = await rig.run({ steps: [charge()] }, { workflowId });
    expect(failure).toMatchObject({
      type: 'PlanChanged',
      message: expect.stringContaining('use a new workflow id') as string,
    });
    expect(world(rig.sandbox)).toMatchObject({ charged: [], posts: ['/v1/payment_intents'] });
  });

  test.for([
    ['no plan at all', undefined],
    ['an unknown tool', { steps: [{ tool: 'wire', args: {} }] }],
    ['a hidden card number', { goal: 'use 4242 4242 4242 4242', steps: [charge()] }],
  ])('that nobody checked before is checked by the workflow: %s', async ([, plan], context) => {
    const rig = await withRig(context);
    const handle = await rig.client.workflow.start('agentPlan', {
      taskQueue: rig.taskQueue,
      workflowId: rig.newId(),
      args: plan === undefined ? [] : [{ plan }],
    });
    expect((await rig.outcome(handle)).failure?.type).toBe('PlanInvalid');
    expect(world(rig.sandbox).posts).toEqual([]);
  });

  test('started by another program gets its fingerprint into the memo', async (context) => {
    const rig = await withRig(context);
    const plan = { steps: [email()] };
    const workflowId = rig.newId();
    const handle = await rig.client.workflow.start('agentPlan', {
      taskQueue: rig.taskQueue,
      workflowId,
      args: [{ plan }],
    });
    await handle.result();
    expect((await handle.describe()).memo).toMatchObject({ planFingerprint: fingerprint(plan) });
  });
});

describe.concurrent("the worker's policy", () => {
  const cases: [string, object, object, RegExp][] = [
    [
      'a sum of charges over the limit',
      { limits: { usd: 4000 } },
      { steps: [charge(2500), charge(2500)] },
      /steps\[1\].*\$50\.00/,
    ],
    ['a currency that is not listed', { limits: { eur: 4000 } }, { steps: [charge()] }, /currency: is usd/],
    [
      'a recipient that is not listed',
      { recipients: ['*@shop.test'] },
      { steps: [charge(), email()] },
      /steps\[1\]\.args\.to/,
    ],
    ['too many steps', { maxSteps: 1 }, { steps: [email(), email()] }, /the policy allows 1/],
  ];
  test.for(cases)('refuses %s before the first effect', async ([, policy, plan, message], context) => {
    const rig = await withRig(context, { deps: { policy } });
    // What the client sends along allows everything: it may only tighten.
    const { failure } = await rig.run(plan, { policy: { limits: { usd: 99_999_999 } } });
    expect(failure?.type).toBe('PolicyRefused');
    expect(failure?.message).toMatch(message);
    expect(world(rig.sandbox).posts).toEqual([]);
  });

  test('is asked again at the claim: it may have been tightened since the plan was opened', async (context) => {
    const policy: { limits?: Record<string, number> } = {};
    const rig = await withRig(context, { deps: { policy } });
    const handle = await rig.start({ steps: [{ ...email(), approval: true }, charge()] });
    const key = await untilWaiting(handle, 0);
    policy.limits = { usd: 100 };
    await approve(handle, 0, key);
    const outcome = await rig.outcome(handle);
    expect(outcome.report.steps.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    expect(outcome.report.steps[1]?.error?.type).toBe('PolicyRefused');
    expect(world(rig.sandbox)).toMatchObject({ charged: [], posts: ['/emails'] });
  });

  test.for([
    ['the sum of the charges so far', { limits: { usd: 9_050 } }],
    ['what needs a person', { approveAbove: { usd: 5_000 } }],
  ] as const)('tightened meanwhile, is asked about %s', async ([, tightened], context) => {
    const policy: object = {};
    const rig = await withRig(context, { deps: { policy } });
    const handle = await rig.start({ steps: [{ ...charge(100), approval: true }, charge(9_000)] });
    const key = await untilWaiting(handle, 0);
    Object.assign(policy, tightened);
    await approve(handle, 0, key);
    const outcome = await rig.outcome(handle);
    expect(outcome.report.steps).toMatchObject([{ status: 'succeeded' }, { error: { type: 'PolicyRefused' } }]);
    expect(world(rig.sandbox).charged).toEqual([100]);
  });
});
