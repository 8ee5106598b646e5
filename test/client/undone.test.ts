/* A plan that was undone never acts again: whoever starts it once more is told what happened, not that nothing did. */
import { expect, test } from 'vitest';
import type { Report } from '../../src/plan/report.js';
import { charge, declined, email } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { expectRefusal, type Finished } from './finished.js';
import { useRig } from './rig.js';

const rig = useRig();
const order = { onFailure: 'undo', steps: [charge(), declined()] };

const report = ({ stdout }: Finished): Report => JSON.parse(stdout) as Report;
const posts = (): number => world(rig().sandbox).posts.length;
const givenBack = {
  status: 'undone',
  result: { amount: 2500 },
  undo: { status: 'succeeded', result: { amount: 2500 } },
};
const refused = { status: 'failed', error: { code: 'card_declined' } };

test('started again: the same report, exit code 1, and no new run', async () => {
  const { client, file, newId } = rig();
  const command = ['start', await file(order), '--workflow-id', newId(), '--json'];
  const first = await client(command);
  expect(first.code).toBe(1);
  expect(report(first)).toMatchObject({ status: 'undone', steps: [givenBack, refused] });

  const before = posts();
  for (const more of [[], ['--detach']]) {
    expect(await client([...command, ...more])).toMatchObject({ code: 1, stdout: first.stdout });
  }
  expect(posts()).toBe(before);
});

test('undone by a cancellation, and started again: the same', async () => {
  const { client, file, newId, temporal, untilWaiting } = rig();
  const id = newId();
  const plan = { onFailure: 'undo', steps: [charge(), { approval: true, ...email() }] };
  const command = ['start', await file(plan), '--workflow-id', id, '--json'];
  await client([...command, '--detach']);
  await untilWaiting(id);
  const cancelled = await client(['cancel', id, '--json']);
  expect(report(cancelled)).toMatchObject({ status: 'undone', steps: [givenBack, { status: 'skipped' }] });
  expect((await temporal.workflow.getHandle(id).describe()).status.name).toBe('CANCELLED');

  expect(await client(command)).toMatchObject({ code: 1, stdout: cancelled.stdout });
});

test('run again by another program: status, watch and start tell what happened in the run before', async () => {
  const { client, file, newId, taskQueue, temporal } = rig();
  const id = newId();
  const path = await file(order);
  const first = report(await client(['start', path, '--workflow-id', id, '--json']));
  const before = posts();
  const again = await temporal.workflow.start('agentPlan', { taskQueue, workflowId: id, args: [{ plan: order }] });
  await expect(again.result()).rejects.toMatchObject({ cause: { type: 'PlanClosed' } });

  for (const command of [
    ['status', id],
    ['watch', id],
    ['start', path, '--workflow-id', id],
  ]) {
    const finished = await client([...command, '--json']);
    expect(finished.code).toBe(1);
    expect(report(finished)).toMatchObject({
      runId: again.firstExecutionRunId,
      status: 'undone',
      steps: [
        { ...givenBack, key: first.steps[0]?.key, attempts: 1 },
        { ...refused, attempts: 1 },
      ],
    });
  }
  expect((await client(['status', id])).stdout).toMatch(/ 0 +charge \$25.00 +undone +attempt 1 +given back: re_\w+ /);
  expect(posts()).toBe(before);
});

test('cut off in the middle of the undo, and started again: it goes on undoing', async () => {
  const { client, file, newId, sandbox, temporal } = rig();
  const id = newId();
  // The last charge is given back first; the answer for the first one is lost, and a minute is waited then.
  sandbox.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault: 'drop', skip: 1 });
  const plan = { onFailure: 'undo', steps: [charge(), charge(), declined()] };
  const start = ['start', await file(plan), '--workflow-id', id, '--json'];
  const policy = await file({ activity: { initialInterval: '1m' } });
  await client([...start, '--policy', policy, '--detach']);
  await expect.poll(() => sandbox.faults()[0]?.used).toBe(1);
  await temporal.workflow.getHandle(id).terminate();
  sandbox.clearFaults();

  const finished = await client(start);
  expect(finished.code).toBe(1);
  expect(report(finished)).toMatchObject({ status: 'undone', steps: [givenBack, givenBack, { status: 'failed' }] });
});

test('with nothing to give back, and started again, twice: failed as before', async () => {
  const { client, file, newId } = rig();
  const command = ['start', await file({ onFailure: 'undo', steps: [declined(), charge()] }), '--workflow-id', newId()];
  for (let time = 0; time < 3; time++) {
    const finished = await client([...command, '--json']);
    expect(finished.code).toBe(1);
    expect(report(finished)).toMatchObject({ status: 'failed', steps: [refused, { status: 'skipped' }] });
  }
});

test('another plan under the id: refused', async () => {
  const { client, file, newId } = rig();
  const id = newId();
  await client(['start', await file(order), '--workflow-id', id]);
  const other = await file({ onFailure: 'undo', steps: [charge(100)] });
  expectRefusal(await client(['start', other, '--workflow-id', id, '--json']), /plan differs from the recorded plan/);
});
