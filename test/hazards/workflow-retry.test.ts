/*
 * A retry policy on the workflow itself (case 34). The plan's own failures are final, so nothing is run again because
 * of them. A run that times out is another matter: the server starts the next one, which knows nothing of the first.
 */
import type { WorkflowHandle } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { idempotencyKey } from '../../src/plan/idempotency-key.js';
import { patience } from '../limits.js';
import { untilReleased } from '../rig/held-delays.js';
import { charge, email } from '../rig/plans.js';
import { unhurried } from '../rig/policies.js';
import type { Rig } from '../rig/rig.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';
import { runIdOf } from '../rig/server-calls.js';

const plan = { steps: [charge(), email()] };

/** The rig starts plans as our client does, without a retry policy: another program may give one. */
const start = ({ client, taskQueue }: Rig, workflowId: string, more: object): Promise<WorkflowHandle> =>
  client.workflow.start('agentPlan', {
    ...{ taskQueue, workflowId, args: [{ plan, policy: unhurried }], retry: { maximumAttempts: 2 } },
    ...more,
  });

const keysOf = ({ sandbox }: Rig, path: string): Set<string | null> =>
  new Set(
    sandbox
      .effects()
      .requests.filter((made) => made.path === path)
      .map(({ key }) => key),
  );

test('a plan that failed is not run again by it: its failure is final, and one run is all there is', async (context) => {
  const rig = await withRig(context);
  const workflowId = rig.newId();
  rig.sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'reject-422' });
  const handle = await start(rig, workflowId, {});
  const first = await runIdOf(handle);
  const { failure, report } = await rig.outcome(handle);
  expect(failure?.type).toBe('PlanFailed');
  expect(report.steps.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  expect(await runIdOf(rig.client.workflow.getHandle(workflowId))).toBe(first);
  const { events } = await rig.client.workflow.getHandle(workflowId, first).fetchHistory();
  // The server would name the next run here.
  expect(events?.at(-1)?.workflowExecutionFailedEventAttributes?.newExecutionRunId).toBe('');
  expect(world(rig.sandbox)).toMatchObject({ charged: [2500], posts: ['/v1/payment_intents', '/emails'] });
});

test('a run that timed out is run again under the same keys: what it did is answered by the ledger', async (context) => {
  const rig = await withRig(context);
  const workflowId = rig.newId();
  rig.sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'late', delayMs: untilReleased });
  const first = await runIdOf(await start(rig, workflowId, { workflowRunTimeout: '12s' }));
  const latest = rig.client.workflow.getHandle(workflowId);
  const second = await vi.waitFor(async () => {
    const runId = await runIdOf(latest);
    expect(runId).not.toBe(first);
    return runId;
  }, patience);
  const { report } = await rig.outcome(latest);
  expect(report).toMatchObject({ status: 'completed', runId: second });
  expect(report.steps[0]).toMatchObject({ replays: 1 });
  expect(world(rig.sandbox)).toMatchObject({ charged: [2500], emails: 1 });
  expect(world(rig.sandbox).posts.filter((path) => path === '/v1/payment_intents')).toHaveLength(1);
  for (const [stepIndex, path] of ['/v1/payment_intents', '/emails'].entries()) {
    const key = idempotencyKey({ namespace: 'default', workflowId, stepIndex, purpose: 'do' });
    expect([...keysOf(rig, path)]).toEqual([key]);
  }
});
