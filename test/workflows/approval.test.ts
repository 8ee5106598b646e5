import { type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { describe, expect, test } from 'vitest';
import type { Approval } from '../../src/plan/report.js';
import { charge, declined, email } from '../rig/plans.js';
import type { Rig } from '../rig/rig.js';
import { report, untilWaiting } from '../rig/server-calls.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';

const plan = { steps: [charge(), { ...charge(9900), approval: true }, email()] };

async function decide(handle: WorkflowHandle, step: number, approve: boolean, more: object = {}): Promise<Approval> {
  const { key } = (await report(handle)).steps[step] ?? {};
  return handle.executeUpdate('decide', { args: [{ step, key, approve, ...more }], updateId: `decide-${step}` });
}

const started = async (rig: Rig, what: unknown = plan, policy?: object): Promise<WorkflowHandle> =>
  rig.start(what, { ...(policy ? { policy } : {}) });

describe.concurrent('a step that needs approval', () => {
  test('waits, and runs when a person approves; note and time are in the report', async (context) => {
    const rig = await withRig(context);
    const handle = await started(rig);
    await untilWaiting(handle, 1);
    expect((await report(handle)).status).toBe('waiting_for_approval');
    expect(world(rig.sandbox).charged).toEqual([2500]);
    await decide(handle, 1, true, { note: 'fine' });
    const { report: ended } = await rig.outcome(handle);
    expect(ended.status).toBe('completed');
    expect(ended.steps[1]?.approval).toMatchObject({ approve: true, note: 'fine' });
    expect(Date.parse(ended.steps[1]?.approval?.at ?? '')).toBeGreaterThan(0);
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500, 9900], emails: 1 });
  });

  test('is not approved by what only looks like a yes', async (context) => {
    const rig = await withRig(context);
    const handle = await started(rig, { steps: [{ ...charge(), approval: true }] });
    await untilWaiting(handle, 0);
    for (const approve of ['false', 'yes', 1, {}, undefined]) {
      await expect(decide(handle, 0, approve as boolean)).rejects.toThrow(WorkflowUpdateFailedError);
    }
    await decide(handle, 0, false);
    expect((await rig.outcome(handle)).report.status).toBe('failed');
    expect(world(rig.sandbox).charged).toEqual([]);
  });

  test('may be approved before it waits, and twice', async (context) => {
    const rig = await withRig(context);
    const handle = await started(rig, {
      steps: [
        { ...charge(), approval: true },
        { ...email(), approval: true },
      ],
    });
    await decide(handle, 1, true);
    await decide(handle, 0, true);
    expect((await rig.outcome(handle)).report.status).toBe('completed');
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500], emails: 1 });
  });

  test('keeps the first decision: a later one is told so', async (context) => {
    const rig = await withRig(context);
    const handle = await started(rig, {
      steps: [
        { ...charge(), approval: true },
        { ...email(), approval: true },
      ],
    });
    await untilWaiting(handle, 0);
    await decide(handle, 0, true);
    expect(await decide(handle, 0, false)).toMatchObject({ approve: true });
    await decide(handle, 1, true);
    expect((await rig.outcome(handle)).report.status).toBe('completed');
  });

  test('does not run when a person rejects it', async (context) => {
    const rig = await withRig(context);
    const handle = await started(rig);
    await untilWaiting(handle, 1);
    await decide(handle, 1, false, { note: 'too much' });
    const { report: ended } = await rig.outcome(handle);
    expect(ended.steps[1]).toMatchObject({
      status: 'failed',
      error: { type: 'ApprovalRejected', message: 'too much' },
    });
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500], emails: 0 });
  });

  test('fails as ApprovalTimedOut when nobody decides', async (context) => {
    const rig = await withRig(context);
    const { report: ended } = await rig.outcome(await started(rig, plan, { approvalTimeout: '1s' }));
    expect(ended.steps[1]).toMatchObject({ status: 'failed', error: { type: 'ApprovalTimedOut' } });
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500], emails: 0 });
  });

  test.for([
    ['another key', 1, 'ap1_1_do_somebody-elses'],
    ['a step that needs none', 0, undefined],
    ['a step that does not exist', 7, undefined],
  ] as const)('takes no decision for %s', async ([, step, key], context) => {
    const rig = await withRig(context);
    const handle = await started(rig);
    await untilWaiting(handle, 1);
    await expect(decide(handle, step, true, key === undefined ? {} : { key })).rejects.toMatchObject({
      cause: { type: 'DecisionRefused' },
    });
    await decide(handle, 1, true);
    expect((await rig.outcome(handle)).report.status).toBe('completed');
  });

  test("is one that the worker's policy says so, whatever the client sends", async (context) => {
    const rig = await withRig(context, { deps: { policy: { approveAbove: { usd: 5000 } } } });
    const handle = await started(rig, { steps: [charge(5000), charge(5001)] }, { approveAbove: { usd: 99_999_999 } });
    await untilWaiting(handle, 1);
    expect(world(rig.sandbox).charged).toEqual([5000]);
    await decide(handle, 1, true);
    expect((await rig.outcome(handle)).report.status).toBe('completed');
  });

  test('is not asked for again when an earlier run has done it', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    const failing = { steps: [{ ...charge(), approval: true }, declined()] };
    const handle = await rig.start(failing, { workflowId });
    await decide(handle, 0, true);
    await rig.outcome(handle);
    const { report: again } = await rig.run(failing, { workflowId });
    expect(again.steps.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    expect(world(rig.sandbox).charged).toEqual([2500]);
  });
});
