import { expect, test } from 'vitest';
import { listedStatus } from '../../src/client/list.js';
import { charge, declined, email } from '../rig/plans.js';
import { useRig } from './rig.js';

const rig = useRig();

test.for([
  // Temporal's word, the workflow's memo, what is listed.
  ['RUNNING', undefined, 'running'],
  ['RUNNING', 'running', 'running'],
  ['RUNNING', 'waiting_for_approval', 'waiting_for_approval'],
  ['PAUSED', 'waiting_for_approval', 'waiting_for_approval'],
  // It is about to end, or somebody else wrote the memo.
  ['RUNNING', 'undone', 'running'],
  ['RUNNING', 'nonsense', 'running'],
  ['RUNNING', { not: 'a status' }, 'running'],
  ['COMPLETED', undefined, 'completed'],
  ['COMPLETED', 'waiting_for_approval', 'completed'],
  ['FAILED', undefined, 'failed'],
  ['FAILED', 'running', 'failed'],
  ['FAILED', 'completed', 'failed'],
  ['FAILED', 'undone', 'undone'],
  ['FAILED', 'outcome_unknown', 'outcome_unknown'],
  ['CANCELLED', 'undone', 'undone'],
  ['CANCELLED', 'failed', 'cancelled'],
  ['TERMINATED', 'waiting_for_approval', 'cancelled'],
  ['TERMINATED', 'outcome_unknown', 'outcome_unknown'],
  ['TIMED_OUT', 'running', 'failed'],
  ['TIMED_OUT', 'undone', 'undone'],
] as const)('%s with the memo %o is listed as %s', ([name, memo, status]) => {
  expect(listedStatus(name, memo)).toBe(status);
});

test('plans that wait, that were undone, and whose outcome is unknown', async () => {
  const { client, file, newId, sandbox } = rig();
  const start = async (plan: unknown, ...more: string[]): Promise<string> => {
    const id = newId();
    await client(['start', await file(plan), '--workflow-id', id, ...more]);
    return id;
  };
  const undone = await start({ onFailure: 'undo', steps: [charge(), declined()] });
  const waiting = await start({ steps: [{ approval: true, ...email() }] }, '--detach');
  sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop' });
  const unknown = await start({ steps: [charge()] }, '--policy', await file({ activity: { maximumAttempts: 1 } }));

  const statuses = async () => {
    const { stdout } = await client(['list', '--json']);
    const { plans } = JSON.parse(stdout) as { plans: { workflowId: string; status: string }[] };
    return new Map(plans.map(({ workflowId, status }) => [workflowId, status]));
  };
  // Visibility is a moment behind.
  const expected = [
    [undone, 'undone'],
    [waiting, 'waiting_for_approval'],
    [unknown, 'outcome_unknown'],
  ];
  await expect.poll(async () => [...(await statuses())]).toEqual(expect.arrayContaining(expected));
});
