/* A run that waited for a person is reset. What was decided counts in the new run; what was done is not done again. */
import { describe, expect, test, type TestContext } from 'vitest';
import { charge, email } from '../rig/plans.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';
import { approve, reject, reset, resetPoints, runIdOf, untilWaiting } from '../rig/server-calls.js';

const plan = { steps: [charge(), { ...charge(9900), approval: true }, email()] };
const done = { charged: [2500, 9900], emails: 1, posts: { length: 3 } };

/** The plan, waiting for a person: what a reset of this run begins from. */
async function waiting(context: TestContext) {
  const rig = await withRig(context);
  const handle = await rig.start(plan);
  const { workflowId } = handle;
  const key = await untilWaiting(handle, 1);
  const first = await runIdOf(handle);
  return { rig, handle, workflowId, first, key };
}

type Waiting = Awaited<ReturnType<typeof waiting>>;

/** Approves it and lets it come to its end. */
async function complete({ rig, handle, key }: Waiting): Promise<void> {
  await approve(handle, 1, key);
  expect((await rig.outcome(handle)).report.status).toBe('completed');
}

/** Resets the run to each of the points: the new one completes by itself, and nothing happens again. */
async function expectDoneFrom(
  { rig, workflowId, first }: Waiting,
  points: readonly string[],
  options?: { forgetsDecisions: boolean },
): Promise<void> {
  for (const point of points) {
    const runId = await reset(rig.client, workflowId, first, point, options);
    const outcome = await rig.outcome(rig.client.workflow.getHandle(workflowId, runId));
    expect(outcome.report.status).toBe('completed');
    expect(world(rig.sandbox)).toMatchObject(done);
  }
}

describe.concurrent('a plan with an approval is reset', () => {
  test('before it was given: the new run waits for it, and one decision is enough', async (context) => {
    const { rig, handle, workflowId, first, key } = await waiting(context);
    for (const point of await resetPoints(handle)) {
      await reset(rig.client, workflowId, first, point);
      const latest = rig.client.workflow.getHandle(workflowId);
      await untilWaiting(latest, 1);
      expect(world(rig.sandbox)).toMatchObject({ charged: [2500], posts: { length: 1 } });
    }
    const latest = rig.client.workflow.getHandle(workflowId);
    await approve(latest, 1, key);
    expect((await rig.outcome(latest)).report.status).toBe('completed');
    expect(world(rig.sandbox)).toMatchObject(done);
  });

  test('after it was given, to every point: nobody is asked again, and nothing happens again', async (context) => {
    const plan = await waiting(context);
    await complete(plan);
    await expectDoneFrom(plan, await resetPoints(plan.handle));
  });

  test('after it was given, to before it was waited for, and it is forgotten: nobody is asked again', async (context) => {
    const plan = await waiting(context);
    const points = await resetPoints(plan.handle);
    await complete(plan);
    await expectDoneFrom(plan, points, { forgetsDecisions: true });
  });

  test('after it was given, to the wait itself, and it is forgotten: a no undoes no claim of what is done', async (context) => {
    const plan = await waiting(context);
    const { rig, handle, workflowId, first, key } = plan;
    await complete(plan);
    const events = (await handle.fetchHistory()).events ?? [];
    const accepted = events.findIndex((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
    const point = events.slice(0, accepted).findLast((event) => event.workflowTaskCompletedEventAttributes);
    await reset(rig.client, workflowId, first, String(point?.eventId), { forgetsDecisions: true });

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
