/* What the commands say and do of a plan that has more than one run, when the last one alone would mislead. */
import { expect, test } from 'vitest';
import type { Report } from '../../src/plan/report.js';
import { charge, declined, email } from '../rig/plans.js';
import { fewAttempts } from '../rig/policies.js';
import { world } from '../rig/world.js';
import type { Finished } from './finished.js';
import { useRig } from './rig.js';

const rig = useRig();
const report = ({ stdout }: Finished): Report => JSON.parse(stdout) as Report;
/** What the sandbox has charged so far, for the tests of this file share it. */
const charged = (amount: number): number => world(rig().sandbox).charged.filter((sum) => sum === amount).length;

test('refused by a policy after an earlier run has charged: the report says so', async () => {
  const { client, file, newId, taskQueue, temporal } = rig();
  const id = newId();
  const plan = { steps: [charge(1111), { approval: true, ...email() }] };
  await client(['start', await file(plan), '--workflow-id', id, '--detach']);
  await rig().untilWaiting(id);
  await temporal.workflow.getHandle(id).terminate();
  const args = [{ plan, policy: { limits: { usd: 100 } } }];
  const again = await temporal.workflow.start('agentPlan', { taskQueue, workflowId: id, args });
  await expect(again.result()).rejects.toThrow();

  const status = await client(['status', id, '--json']);

  expect(status.code).toBe(1);
  expect(report(status).steps).toMatchObject([{ status: 'succeeded', attempts: 1 }, { status: 'skipped' }]);
});

test('another program was refused another plan under the id: the plan itself is not locked out', async () => {
  const { client, file, newId, sandbox, taskQueue, temporal } = rig();
  const id = newId();
  sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop', times: 'always' });
  const path = await file({ steps: [charge(555), email()] });
  const first = await client(['start', path, '--workflow-id', id, '--policy', await file(fewAttempts)]);
  sandbox.clearFaults();
  expect(first.code).toBe(3);
  const args = [{ plan: { steps: [charge(666)] } }];
  const other = await temporal.workflow.start('agentPlan', { taskQueue, workflowId: id, args });
  await expect(other.result()).rejects.toThrow();

  const again = await client(['start', path, '--workflow-id', id]);

  expect(again.code, again.stderr).toBe(0);
  expect([charged(555), charged(666)]).toEqual([1, 0]);
});

test('what an earlier run did is told with its attempts', async () => {
  const { client, file, newId, sandbox, temporal } = rig();
  const id = newId();
  const lookup = { tool: 'lookup_charge', args: { charge: 0 } };
  const path = await file({ steps: [charge(), lookup, email(), { ...email(), approval: true }] });
  await client(['start', path, '--workflow-id', id, '--detach']);
  await rig().untilWaiting(id);
  await temporal.workflow.getHandle(id).terminate();
  sandbox.addFault({ service: 'stripe', match: 'GET /v1/payment_intents/*', fault: '502-before', times: 'always' });
  const again = await client(['start', path, '--workflow-id', id, '--json', '--policy', await file(fewAttempts)]);
  sandbox.clearFaults();
  expect(report(again).steps[2]).toMatchObject({
    status: 'succeeded',
    attempts: 1,
    result: { id: expect.any(String) as string },
  });
});

test('an undone plan that is started again advises nothing that it would not do', async () => {
  const { client, file, newId, sandbox } = rig();
  const id = newId();
  sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'drop', times: 'always' });
  const path = await file({ onFailure: 'undo', steps: [charge(777), email()] });
  const first = await client(['start', path, '--workflow-id', id, '--policy', await file(fewAttempts)]);
  sandbox.clearFaults();
  expect(first.code).toBe(3);

  const again = await client(['start', path, '--workflow-id', id, '--json']);

  expect(report(again).steps[1]?.error?.message).toMatch(/the undone plan asks no more/);
  const resolved = await client(['resolve', id, '1', '--did-not-happen']);
  expect(resolved.stdout).toMatch(/The plan is undone: starting it again only gives back what is left/);
});

test('an undo that a person found not to have happened is told to stay so', async () => {
  const { client, file, newId, sandbox } = rig();
  const id = newId();
  sandbox.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault: '500-saved' });
  const path = await file({ onFailure: 'undo', steps: [charge(888), declined()] });
  expect((await client(['start', path, '--workflow-id', id])).code).toBe(3);
  const resolved = await client(['resolve', id, '0', '--did-not-happen']);
  expect(resolved.stdout).toMatch(/It is not tried again: give the rest back at the provider/);
  expect(charged(888)).toBe(1);
});
