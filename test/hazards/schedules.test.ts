/*
 * A schedule that starts a plan (case 42). Temporal appends the nominal time to the workflow id, so that each time has
 * keys of its own, and a time that is run twice has the same ones.
 */
import type { ScheduleHandle, WorkflowHandle } from '@temporalio/client';
import { expect, test, vi, type TestContext } from 'vitest';
import { patience } from '../limits.js';
import { charge, email } from '../rig/plans.js';
import type { Rig } from '../rig/rig.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';
import { runIdOf } from '../rig/server-calls.js';

const plan = { steps: [charge(100), email()] };
const nominalTimes = ['2026-09-01T00:00:00Z', '2026-09-02T00:00:00Z', '2026-09-03T00:00:00Z'];
/** A backfill takes the times after its start, up to its end. */
const backfill = {
  start: new Date('2026-08-31T12:00:00Z'),
  end: new Date('2026-09-03T12:00:00Z'),
  overlap: 'ALLOW_ALL',
} as const;

async function schedule(rig: Rig, { onTestFinished }: TestContext): Promise<{ bill: string; handle: ScheduleHandle }> {
  const bill = `bill-${rig.newId()}`;
  const handle = await rig.client.schedule.create({
    scheduleId: bill,
    spec: { cronExpressions: ['0 0 * * *'] },
    action: {
      type: 'startWorkflow',
      ...{ workflowType: 'agentPlan', workflowId: bill, taskQueue: rig.taskQueue, args: [{ plan }] },
    },
    // Only what this test asks for: the clock starts nothing.
    state: { paused: true },
  });
  onTestFinished(() => handle.delete());
  return { bill, handle };
}

/** Until each has a completed run that is not the one in `before`. */
async function untilCompleted(handles: WorkflowHandle[], before: (string | undefined)[] = []): Promise<string[]> {
  for (const [index, handle] of handles.entries()) {
    await vi.waitFor(async () => {
      const { runId, status } = await handle.describe();
      expect(runId).not.toBe(before[index]);
      expect(status.name).toBe('COMPLETED');
    }, patience);
  }
  return Promise.all(handles.map(runIdOf));
}

test('three nominal times are three plans, and the same backfill again adds nothing', async (context) => {
  const rig = await withRig(context);
  const { bill, handle } = await schedule(rig, context);
  const plans = nominalTimes.map((time) => rig.client.workflow.getHandle(`${bill}-${time}`));

  await handle.backfill(backfill);
  const first = await untilCompleted(plans);
  expect(world(rig.sandbox)).toMatchObject({ charged: [100, 100, 100], emails: 3 });

  await handle.backfill(backfill);
  // They do run again: it is not the server that keeps them from acting.
  await untilCompleted(plans, first);
  expect(world(rig.sandbox)).toMatchObject({ charged: [100, 100, 100], emails: 3, posts: { length: 6 } });
});

test('triggers by hand: each one that was accepted is one plan under an id of its own', async (context) => {
  const rig = await withRig(context);
  const { bill, handle } = await schedule(rig, context);
  // Ids end in whole seconds, so of two triggers at once the server may drop one; no answer says so.
  await Promise.all([handle.trigger('ALLOW_ALL'), handle.trigger('ALLOW_ALL')]);
  const ids = await untilEachActed(rig, handle, 1);
  // A trigger in a later second is accepted in any case.
  const second = (): number => Math.floor(Date.now() / 1000);
  const last = second();
  await vi.waitFor(() => expect(second()).toBeGreaterThan(last), patience);
  await handle.trigger('ALLOW_ALL');
  const all = await untilEachActed(rig, handle, ids.length + 1);
  expect(all.every((id) => id.startsWith(`${bill}-2`))).toBe(true);
  expect(world(rig.sandbox).posts).toHaveLength(2 * all.length);
});

/** The ids of the accepted triggers, when each of them has had its effects, and nobody else has. */
function untilEachActed({ sandbox, client }: Rig, handle: ScheduleHandle, atLeast: number): Promise<string[]> {
  return vi.waitFor(async () => {
    const { info } = await handle.describe();
    const ids = [...new Set(info.recentActions.map(({ action }) => action.workflow.workflowId))].sort();
    expect(ids.length).toBeGreaterThanOrEqual(atLeast);
    for (const id of ids) expect((await client.workflow.getHandle(id).describe()).status.name).toBe('COMPLETED');
    const { charges, emails } = sandbox.effects();
    expect(charges.map(({ metadata }) => metadata['plan_workflow']).sort()).toEqual(ids);
    expect(emails).toHaveLength(ids.length);
    return ids;
  }, patience);
}
