/* A finished plan is reset to each of its workflow tasks, twice each: every run does all of it again, and nothing happens. */
import { expect, test } from 'vitest';
import { charge, email, refund } from '../rig/plans.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';
import { reset, resetPoints, runIdOf } from '../rig/server-calls.js';

test('a finished plan is reset to every point, twice each: nothing happens again', async (context) => {
  const rig = await withRig(context);
  const workflowId = rig.newId();
  const done = await rig.run({ steps: [charge(), refund(0, 1000), email('{{0.id}} {{1.id}}')] }, { workflowId });
  const before = world(rig.sandbox);
  expect(before).toMatchObject({ charged: [2500], refunded: [1000], emails: 1, posts: { length: 3 } });
  const handle = rig.client.workflow.getHandle(workflowId);
  const first = await runIdOf(handle);
  const points = await resetPoints(handle);
  expect(points).toHaveLength(4);
  for (const point of [...points, ...points]) {
    const runId = await reset(rig.client, workflowId, first, point);
    const { report } = await rig.outcome(rig.client.workflow.getHandle(workflowId, runId));
    expect(report).toMatchObject({ status: 'completed', runId });
    // The agent cannot tell the answers from the first ones.
    expect(report.steps.map(({ result }) => result)).toEqual(done.report.steps.map(({ result }) => result));
    expect(world(rig.sandbox)).toEqual(before);
  }
});
