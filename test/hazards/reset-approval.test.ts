/* A run that waited for a person is reset. What was decided counts in the new run; what was done is not done again. */
import { describe, expect, test } from 'vitest';
import { charge, email } from '../rig/plans.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';
import { approve, report, reset, resetPoints, runIdOf, untilWaiting } from '../rig/server-calls.js';

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

  test('after it was given, which is forgotten: nobody is asked for what is done', async (context) => {
    const rig = await withRig(context);
    const handle = await rig.start(plan);
    const { workflowId } = handle;
    await untilWaiting(handle, 1);
    await approve(handle, 1, (await report(handle)).steps[1]?.key ?? '');
    expect((await rig.outcome(handle)).report.status).toBe('completed');
    const first = await runIdOf(handle);
    for (const point of await resetPoints(handle)) {
      const runId = await reset(rig.client, workflowId, first, point, { forgetsDecisions: true });
      const outcome = await rig.outcome(rig.client.workflow.getHandle(workflowId, runId));
      expect(outcome.report.status).toBe('completed');
      expect(world(rig.sandbox)).toMatchObject(done);
    }
  });
});
