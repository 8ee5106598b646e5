/*
 * The same workflow id once more: after its plan completed, after it failed, and after the server has forgotten it. The
 * server would run it as something new each time. It is the ledger that knows.
 */
import { WorkflowNotFoundError } from '@temporalio/client';
import { describe, expect, test, vi } from 'vitest';
import type { Report } from '../../src/plan/report.js';
import { patience } from '../limits.js';
import { charge, declined, email, refund } from '../rig/plans.js';
import type { Rig } from '../rig/rig.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';

const completing = { steps: [charge(), refund(0, 1000), email()] };
const failing = { steps: [charge(), email(), declined()] };

/** As retention does after some days: the run is gone, as if its id had never been used. It takes half a minute. */
async function forget({ client }: Rig, { workflowId, runId }: Report): Promise<void> {
  const workflowExecution = { workflowId, runId };
  await client.workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution });
  const described = client.workflow.getHandle(workflowId);
  await vi.waitFor(() => expect(described.describe()).rejects.toBeInstanceOf(WorkflowNotFoundError), patience);
}

const plans = [
  ['completed', completing, { charged: [2500], refunded: [1000], emails: 1, posts: { length: 3 } }],
  ['failed', failing, { charged: [2500], emails: 1, posts: { length: 3 } }],
] as const;

const told = ({ steps }: Report) => steps.map(({ status, result, error }) => ({ status, result, error }));

describe.concurrent('an id is used again', () => {
  test.for(plans)('after its plan %s', async ([, plan, effects], context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    const first = await rig.run(plan, { workflowId });
    const again = await rig.run(plan, { workflowId });
    expect(again.report.runId).not.toBe(first.report.runId);
    expect(told(again.report)).toEqual(told(first.report));
    expect(world(rig.sandbox)).toMatchObject(effects);
  });

  test.for(plans)('after its plan %s and the server has forgotten it', async ([, plan, effects], context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    const first = await rig.run(plan, { workflowId });
    await forget(rig, first.report);
    const again = await rig.run(plan, { workflowId });
    expect(again.report.status).toBe(first.report.status);
    expect(told(again.report)).toEqual(told(first.report));
    expect(world(rig.sandbox)).toMatchObject(effects);
  });

  test('by another plan, when the server has forgotten the first one: it is refused all the same', async (context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    const { report } = await rig.run(completing, { workflowId });
    await forget(rig, report);
    const { failure } = await rig.run({ steps: [charge(4000)] }, { workflowId });
    expect(failure?.type).toBe('PlanChanged');
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500], posts: { length: 3 } });
  });
});
