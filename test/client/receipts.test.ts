import { expect, test } from 'vitest';
import { charge, email } from '../rig/plans.js';
import { useRig } from './rig.js';

const rig = useRig();

test('receipts and list', async () => {
  const { begin, client, file, newId, sandbox } = rig();
  sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop' });
  const id = newId();
  const plan = await file({ goal: 'Two things\nin two lines', steps: [charge(), email()] });
  const started = await client(['start', plan, '--workflow-id', id, '--json']);
  expect(started.code).toBe(0);
  const { charges, emails } = sandbox.effects();

  const noServer = { TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const json = await begin(['receipts', id, '--json'], noServer).finished;
  expect(json).toMatchObject({ code: 0, stderr: '' });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
  const times = { firstAskedAt: time, lastAskedAt: time, settledAt: time };
  const settled = { purpose: 'do', state: 'succeeded', error: null, ...times };
  expect(JSON.parse(json.stdout)).toMatchObject({
    workflowId: id,
    namespace: 'default',
    receipts: [
      {
        step: 0,
        tool: 'charge',
        key: charges[0]?.key,
        attempts: 2,
        asks: 2,
        replays: 1,
        reference: charges[0]?.id,
        ...settled,
      },
      {
        step: 1,
        tool: 'email',
        key: emails[0]?.key,
        attempts: 1,
        asks: 1,
        replays: 0,
        reference: emails[0]?.id,
        ...settled,
      },
    ],
  });

  const people = await client(['receipts', id]);
  expect(people.stdout).toMatch(/^step +what +state +asks +replays +reference +last asked +key\n/);
  expect(people.stdout).toMatch(/\n0 +charge \$25.00 +succeeded +2 +1 +pi_/);
  expect(people.stdout).toMatch(/\n1 +email to ada@example.com +succeeded +1 +0 /);

  // Visibility is a moment behind.
  await expect
    .poll(async () => JSON.parse((await client(['list', '--limit', '1000', '--json'])).stdout) as unknown)
    .toMatchObject({
      plans: expect.arrayContaining([
        expect.objectContaining({ workflowId: id, status: 'completed', summary: 'Two things in two lines' }),
      ]) as unknown,
    });
});
