import { describe, expect, test } from 'vitest';
import { idempotencyKey } from '../../src/plan/idempotency-key.js';
import { charge, declined, email, refund } from '../rig/plans.js';
import { fewAttempts } from '../rig/policies.js';
import { approve, reset, resetPoints, runIdOf, untilWaiting } from '../rig/server-calls.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';

const undoing = (...steps: object[]) => ({ onFailure: 'undo', steps });

describe.concurrent('an undo', () => {
  test('gives back what the charges took, the last one first, each under its own key', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    const handle = await rig.start(undoing(charge(2500), charge(4000), declined()), { workflowId });
    expect((await rig.outcome(handle)).failure?.type).toBe('PlanUndone');
    const key = (stepIndex: number) => idempotencyKey({ namespace: 'default', workflowId, stepIndex, purpose: 'undo' });
    const undone = (stepIndex: number, amount: number): object => ({
      status: 'undone',
      undo: { key: key(stepIndex), status: 'succeeded', result: { amount } },
    });
    expect(await handle.query('report')).toMatchObject({
      status: 'undone',
      steps: [undone(0, 2500), undone(1, 4000), { status: 'failed' }],
    });
    expect(world(rig.sandbox)).toMatchObject({ refunded: [4000, 2500], net: 0 });
    expect(rig.sandbox.effects().refunds.map((made) => made.key)).toEqual([key(1), key(0)]);
  });

  test.for(['drop', 'hang', '502-after', '429'] as const)(
    'gives back once although its answer is: %s',
    async (fault, context) => {
      const rig = await withRig(context);
      rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault });
      const { report } = await rig.run(undoing(charge(), declined()));
      expect(report.status).toBe('undone');
      expect(world(rig.sandbox)).toMatchObject({ charged: [2500], refunded: [2500] });
    },
  );

  test('gives back what is left after a partial refund', async (context) => {
    const rig = await withRig(context);
    const { report } = await rig.run(undoing(charge(5000), refund(0, 2000), declined()));
    expect(report.status).toBe('undone');
    expect(world(rig.sandbox)).toMatchObject({ refunded: [2000, 3000], net: 0 });
  });

  // Twice for the step, and the rest for its undo, which the attempts of a step do not bind.
  test.for([
    ['the charge', 'POST /v1/payment_intents', 5, [charge()]],
    ['a refund', 'POST /v1/refunds', 5, [charge(), refund(0)]],
    ['the refund that gives back', 'POST /v1/refunds', 3, [charge(), declined()]],
  ] as const)('asks oftener for %s than a step may', async ([, match, times, steps], context) => {
    const rig = await withRig(context);
    rig.sandbox.addFault({ service: 'stripe', match, fault: 'drop', times });
    const { report } = await rig.run(undoing(...steps), { policy: fewAttempts });
    expect(report.status).toBe('undone');
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500], refunded: [2500] });
  });

  test('has nothing to give back where all was refunded before', async (context) => {
    const rig = await withRig(context);
    const { report } = await rig.run(undoing(charge(5000), refund(0), declined()));
    expect(report.status).toBe('undone');
    expect(world(rig.sandbox)).toMatchObject({ refunded: [5000], net: 0 });
  });

  test('that Stripe refuses for one of the charges leaves the plan failed, and gives back the others', async (context) => {
    const rig = await withRig(context);
    const disputed = charge(4000, { payment_method: 'pm_card_createDispute' });
    const handle = await rig.start(undoing(charge(2500), disputed, declined()));
    expect((await rig.outcome(handle)).failure?.type).toBe('PlanFailed');
    expect(await handle.query('report')).toMatchObject({
      status: 'failed',
      steps: [
        { status: 'undone' },
        { status: 'succeeded', undo: { status: 'failed', error: { code: 'charge_disputed' } } },
        { status: 'failed' },
      ],
    });
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500, 4000], refunded: [2500] });
  });

  test('asks until it knows whether an unanswered charge happened, then gives it back', async (context) => {
    const rig = await withRig(context);
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop', times: 3 });
    const { report } = await rig.run(undoing(charge()), { policy: fewAttempts });
    expect(report).toMatchObject({ status: 'undone', steps: [{ status: 'undone' }] });
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500], refunded: [2500] });
    expect(
      new Set(
        rig.sandbox
          .effects()
          .requests.filter(({ path }) => path === '/v1/payment_intents')
          .map(({ key }) => key),
      ).size,
    ).toBe(1);
  });

  test('asks until it knows whether an unanswered refund happened, then gives back the rest', async (context) => {
    const rig = await withRig(context);
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault: 'drop', times: 3 });
    const { report } = await rig.run(undoing(charge(5000), refund(0, 2000), email()), { policy: fewAttempts });
    expect(report).toMatchObject({
      status: 'undone',
      steps: [{ status: 'undone' }, { status: 'succeeded' }, { status: 'skipped' }],
    });
    expect(world(rig.sandbox)).toMatchObject({ refunded: [2000, 3000], net: 0, emails: 0 });
  });

  test('asks for no e-mail again: an unanswered one stays unknown, and a person is told to look', async (context) => {
    const rig = await withRig(context);
    rig.sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'drop', times: 'always' });
    const { report } = await rig.run(undoing(charge(), email()), { policy: fewAttempts });
    expect(report).toMatchObject({
      status: 'outcome_unknown',
      steps: [{ status: 'undone' }, { status: 'outcome_unknown' }],
    });
    expect(report.steps[1]?.error?.message).toMatch(/asks no more\. Look for ap1_1_do_\w+ at the provider/);
    expect(world(rig.sandbox).posts.filter((path) => path === '/emails')).toHaveLength(2);
  });

  test('does nothing for a charge that surely did not happen', async (context) => {
    const rig = await withRig(context);
    const { report } = await rig.run(undoing(email(), declined()));
    expect(report.steps.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    expect(world(rig.sandbox)).toMatchObject({ emails: 1, refunded: [], net: 0 });
  });

  test('of a plan that did nothing leaves it open: it may be started again', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    const plan = undoing({ ...charge(), approval: true });
    const handle = await rig.start(plan, { workflowId });
    await untilWaiting(handle, 0);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow(/cancelled/);

    const again = await rig.start(plan, { workflowId });
    await approve(again, 0, await untilWaiting(again, 0));
    expect(await again.result()).toMatchObject({ status: 'completed' });
    expect(world(rig.sandbox).charged).toEqual([2500]);
  });

  test('of a refund that nobody can tell of gives back the charge, and advises no further start', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault: '500-saved' });
    const plan = undoing(charge(5000), refund(0, 2000));
    const { report } = await rig.run(plan, { workflowId });
    expect(report.steps[1]).toMatchObject({ status: 'outcome_unknown' });
    expect(report.steps[1]?.error?.message).toMatch(/the undone plan asks no more\. Look for ap1_1_do_/);
    expect((await rig.run(plan, { workflowId })).failure?.type).toBe('PlanClosed');
    expect(world(rig.sandbox)).toMatchObject({ charged: [5000], refunded: [5000] });
  });

  test('closes the plan: started again, it is refused and does nothing', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    const plan = undoing(charge(), declined());
    await rig.run(plan, { workflowId });
    const posts = world(rig.sandbox).posts.length;
    const { failure } = await rig.run(plan, { workflowId });
    expect(failure?.type).toBe('PlanClosed');
    expect(world(rig.sandbox).posts).toHaveLength(posts);
  });

  test('stays done when the plan is reset, to whatever point', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    await rig.outcome(await rig.start(undoing(charge(), declined()), { workflowId }));
    const before = world(rig.sandbox);
    const latest = rig.client.workflow.getHandle(workflowId);
    const runId = await runIdOf(latest);
    const points = await resetPoints(latest);
    expect(points.length).toBeGreaterThan(3);
    for (const point of points) {
      await reset(rig.client, workflowId, runId, point);
      const { report, failure } = await rig.outcome(latest);
      // Reset to before it was opened, the plan is opened again: closed plans are refused.
      if (failure?.type !== 'PlanClosed') expect(report.status).toBe('undone');
      expect(world(rig.sandbox)).toEqual(before);
    }
  });
});
