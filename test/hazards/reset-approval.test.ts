/* A run that waited for a person is reset. What was decided counts in the new run; what was done is not done again. */
import { describe, expect, test } from 'vitest';
import { charge, email } from '../rig/plans.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';
import { approve, reject, report, reset, resetPoints, runIdOf, untilWaiting } from '../rig/server-calls.js';

const plan = { steps: [charge(), { ...charge(9900), approval: true }, email()] };
const done = { charged: [2500, 9900], emails: 1, posts: { length: 3 } };

describe.concurrent('a plan with an approval is reset', () => {
  test('before it was given: the new run waits for it, and one decision is enough', async (context) => {
    const rig = await withRig(context);
    const handle = await rig.start(plan);
    const { workflowId } = handle;
    await untilWaiting(handle, 1);
    const first = await runIdOf(handle);
    for (const point of await resetPoints(handle)) {
      await reset(rig.client, workflowId, first, point);
      const latest = rig.client.workflow.getHandle(workflowId);
      await untilWaiting(latest, 1);
      expect(world(rig.sandbox)).toMatchObject({ charged: [2500], posts: { length: 1 } });
    }
    const latest = rig.client.workflow.getHandle(workflowId);
    await approve(latest, 1, (await report(latest)).steps[1]?.key ?? '');
    expect((await rig.outcome(latest)).report.status).toBe('completed');
    expect(world(rig.sandbox)).toMatchObject(done);
  });

  test('after it was given, to every point: nobody is asked again, and nothing happens again', async (context) => {
    const rig = await withRig(context);
    const handle = await rig.start(plan);
    const { workflowId } = handle;
    await untilWaiting(handle, 1);
    await approve(handle, 1, (await report(handle)).steps[1]?.key ?? '');
    expect((await rig.outcome(handle)).report.status).toBe('completed');
    const first = await runIdOf(handle);
    for (const point of await resetPoints(handle)) {
      const runId = await reset(rig.client, workflowId, first, point);
      const outcome = await rig.outcome(rig.client.workflow.getHandle(workflowId, runId));
      expect(outcome.report.status).toBe('completed');
      expect(world(rig.sandbox)).toMatchObject(done);
    }
  });

  test('after it was given, to before it was waited for, and it is forgotten: nobody is asked again', async (context) => {
    const rig = await withRig(context);
    const handle = await rig.start(plan);
    const { workflowId } = handle;
    await untilWaiting(handle, 1);
    const first = await runIdOf(handle);
    const points = await resetPoints(handle);
    await approve(handle, 1, (await report(handle)).steps[1]?.key ?? '');
    expect((await rig.outcome(handle)).report.status).toBe('completed');
    for (const point of points) {
      const runId = await reset(rig.client, workflowId, first, point, { forgetsDecisions: true });
      const outcome = await rig.outcome(rig.client.workflow.getHandle(workflowId, runId));
      expect(outcome.report.status).toBe('completed');
      expect(world(rig.sandbox)).toMatchObject(done);
    }
  });

  test('after it was given, to the wait itself, and it is forgotten: a no undoes no claim of what is done', async (context) => {
    const rig = await withRig(context);
    const handle = await rig.start(plan);
    const { workflowId } = handle;
    await untilWaiting(handle, 1);
    const key = (await report(handle)).steps[1]?.key ?? '';
    await approve(handle, 1, key);
    expect((await rig.outcome(handle)).report.status).toBe('completed');
    const events = (await handle.fetchHistory()).events ?? [];
    const accepted = events.findIndex((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
    const point = events.slice(0, accepted).findLast((event) => event.workflowTaskCompletedEventAttributes);
    await reset(rig.client, workflowId, await runIdOf(handle), String(point?.eventId), { forgetsDecisions: true });

    const latest = rig.client.workflow.getHandle(workflowId);
    await untilWaiting(latest, 1);
    await reject(latest, 1, key);
    expect((await rig.outcome(latest)).report).toMatchObject({
      status: 'failed',
      steps: [{ status: 'succeeded' }, { status: 'succeeded' }, { status: 'succeeded' }],
    });
    expect(world(rig.sandbox)).toMatchObject(done);
  });
});
