/*
 * An attempt that was paused before its claim (a stopped process, a long garbage collection) wakes up after its step was
 * reported as not done. It may not do it then: what is reported must stay true.
 */
import { expect, test } from 'vitest';
import type { StepOf } from '../../src/plan/plan-schema.js';
import { withActivityRig } from '../rig/activity-rig.js';
import { world } from '../rig/world.js';

const step: StepOf<'charge'> = {
  tool: 'charge',
  args: { amount: 5000, currency: 'usd', payment_method: 'pm_card_visa' },
};

test('an attempt that was scheduled before the report does nothing after it', async (context) => {
  const rig = await withActivityRig(context);
  const input = rig.input(step, step.args);
  const paused = { currentAttemptScheduledTimestampMs: 1_000 };
  const { key, namespace, workflowId } = input;
  const conclusion = await rig.conclude({ key, namespace, workflowId, lastFailure: 'time-out' }, 2_000);
  expect(conclusion).toMatchObject({ state: 'not_done', asks: 0 });

  await expect(rig.attempt('charge', input, paused)).rejects.toMatchObject({ name: 'AttemptTooLate' });
  expect(world(rig.sandbox).posts).toEqual([]);
});

test('nor does one whose earlier asks were all turned away', async (context) => {
  const rig = await withActivityRig(context);
  const input = rig.input(step, step.args);
  const { key, namespace, workflowId } = input;
  rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: '429' });
  await expect(rig.attempt('charge', input, { currentAttemptScheduledTimestampMs: 1_000 })).rejects.toThrow();
  expect(await rig.conclude({ key, namespace, workflowId, lastFailure: '429' }, 2_000)).toMatchObject({
    state: 'not_done',
  });

  const late = rig.attempt('charge', input, { currentAttemptScheduledTimestampMs: 1_500 });
  await expect(late).rejects.toMatchObject({ name: 'AttemptTooLate' });
  expect(world(rig.sandbox).charged).toEqual([]);
});

test('a later run or a reset, scheduled after the report, does it', async (context) => {
  const rig = await withActivityRig(context);
  const input = rig.input(step, step.args);
  const { key, namespace, workflowId } = input;
  await rig.conclude({ key, namespace, workflowId, lastFailure: 'time-out' }, 2_000);

  await rig.attempt('charge', input, { currentAttemptScheduledTimestampMs: 3_000 });
  expect(world(rig.sandbox).charged).toEqual([5000]);
});

test('an attempt whose ask is on its way is not "not done": its outcome is unknown', async (context) => {
  const rig = await withActivityRig(context);
  const input = rig.input(step, step.args);
  const { key, namespace, workflowId } = input;
  rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop' });
  await expect(rig.attempt('charge', input)).rejects.toThrow();
  const conclusion = await rig.conclude({ key, namespace, workflowId, lastFailure: 'time-out' }, 2_000);
  expect(conclusion.state).toBe('unknown');
  expect(world(rig.sandbox).charged).toEqual([5000]);
});
