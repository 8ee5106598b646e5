/*
 * A cancellation that reaches the workflow's code together with something else, in one workflow task. Found by chaos: it
 * came with the approval, and the plan ended without its undo.
 */
import { describe, expect, test, vi } from 'vitest';
import { idempotencyKey } from '../../src/plan/idempotency-key.js';
import { patience } from '../limits.js';
import { charge, email } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { approve, reject, report, reset, resetPoints, runIdOf, untilWaiting } from '../rig/server-calls.js';
import { withStage } from './stage.js';

const steps = [charge(), { ...email(), approval: true }];

describe.each([
  { onFailure: 'undo', ends: 'undone', first: 'undone', refunded: [2500] },
  { onFailure: 'stop', ends: 'cancelled', first: 'succeeded', refunded: [] },
])('a plan with onFailure "$onFailure" is cancelled', ({ onFailure, ends, first, refunded }) => {
  const ended = { status: ends, steps: [{ status: first }, { status: 'skipped' }] };

  test('in the moment of its approval: the approved step is not begun', async (context) => {
    const stage = await withStage(context);
    const stop = await stage.startWorker();
    const handle = await stage.start({ onFailure, steps });
    const key = await untilWaiting(handle, 1);
    await stop();

    const approving = approve(handle, 1, key);
    await handle.cancel();
    await stage.startWorker();
    expect(await approving).toMatchObject({ approve: true });

    await expect(handle.result()).rejects.toThrow(/cancelled/);
    expect(await report(handle)).toMatchObject(ended);
    expect(world(stage.sandbox)).toMatchObject({ charged: [2500], refunded, emails: 0 });
  });

  test('before a run that was reset has opened it: what the run before did is known', async (context) => {
    const stage = await withStage(context);
    const stop = await stage.startWorker();
    const handle = await stage.start({ onFailure, steps });
    await untilWaiting(handle, 1);
    const [beginning = ''] = await resetPoints(handle);
    await stop();

    const runId = await reset(stage.client(), handle.workflowId, await runIdOf(handle), beginning);
    const latest = stage.client().workflow.getHandle(handle.workflowId, runId);
    await latest.cancel();
    await stage.startWorker();

    await expect(latest.result()).rejects.toThrow(/cancelled/);
    expect(await report(latest)).toMatchObject(ended);
    expect(world(stage.sandbox)).toMatchObject({ charged: [2500], refunded, emails: 0 });
  });
});

test('an undo of what only an earlier run did closes the plan', async (context) => {
  const stage = await withStage(context);
  const stop = await stage.startWorker();
  const plan = { onFailure: 'undo', steps };
  const first = await stage.start(plan);
  const { workflowId } = first;
  await untilWaiting(first, 1);
  await first.terminate();
  await stop();

  const second = await stage.start(plan, { workflowId });
  await second.cancel();
  await stage.startWorker();

  await expect(second.result()).rejects.toThrow(/cancelled/);
  const third = await stage.start(plan, { workflowId });
  await expect(third.result()).rejects.toHaveProperty('cause.type', 'PlanClosed');
  expect(world(stage.sandbox)).toMatchObject({ charged: [2500], refunded: [2500] });
});

test('a plan that is cancelled while it waits, and gives back, waits for nobody and takes no decision', async (context) => {
  const stage = await withStage(context);
  await stage.startWorker();
  stage.sandbox.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault: '502-before', times: 'always' });
  const handle = await stage.start({ onFailure: 'undo', steps });
  const key = await untilWaiting(handle, 1);
  await handle.cancel();
  await vi.waitFor(() => expect(world(stage.sandbox).posts).toContain('/v1/refunds'), patience);

  expect(await report(handle)).toMatchObject({ status: 'running', steps: [{}, { status: 'pending' }] });
  await expect(approve(handle, 1, key)).rejects.toHaveProperty(
    'cause.message',
    expect.stringMatching(/ending/) as string,
  );

  stage.sandbox.clearFaults();
  await expect(handle.result()).rejects.toThrow(/cancelled/);
  expect(world(stage.sandbox)).toMatchObject({ refunded: [2500], emails: 0 });
});

test('a no that comes before anybody had to be asked counts', async (context) => {
  const stage = await withStage(context);
  const workflowId = stage.newId();
  const handle = await stage.start({ steps: [charge()] }, { workflowId });
  const key = idempotencyKey({ namespace: 'default', workflowId, stepIndex: 0, purpose: 'do' });
  const rejecting = reject(handle, 0, key);
  // On the same connection, after it: the server has it.
  await handle.describe();
  await stage.startWorker();
  expect(await rejecting).toMatchObject({ approve: false });
  await expect(handle.result()).rejects.toThrow();
  expect((await report(handle)).steps[0]).toMatchObject({ status: 'failed', error: { type: 'ApprovalRejected' } });
  expect(world(stage.sandbox).charged).toEqual([]);
});

test('a decision for a step that does not exist is refused before the plan is open, too, and harms nothing', async (context) => {
  const stage = await withStage(context);
  const handle = await stage.start({ steps: [charge()] });
  const approving = approve(handle, 7, 'ap1_7_do_x');
  // Awaited at once: it is refused while the plan is already on its way to its end.
  const refused = expect(approving).rejects.toHaveProperty('cause.type', 'DecisionRefused');
  await stage.startWorker();
  await refused;
  expect(await handle.result()).toMatchObject({ status: 'completed' });
});
