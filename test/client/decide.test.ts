import { expect, test } from 'vitest';
import { untilReleased } from '../rig/held-delays.js';
import { charge, email } from '../rig/plans.js';
import { expectRefusal } from './finished.js';
import { useRig } from './rig.js';

const rig = useRig();

test('approve, approve again, and reject too late', async () => {
  const { client, file, newId, sandbox } = rig();
  const id = newId();
  const plan = {
    steps: [
      { id: 'first', approval: true, ...charge() },
      { id: 'mail', approval: true, ...email() },
    ],
  };
  const started = await client(['start', await file(plan), '--workflow-id', id, '--detach']);
  expect(started.code).toBe(4);
  expect(sandbox.effects().charges).toEqual([]);

  const approved = await client(['approve', id, 'first', '--note', 'Ada asked for it', '--json']);
  expect(approved).toMatchObject({ code: 0, stderr: '' });
  const decision = {
    workflowId: id,
    namespace: 'default',
    step: 0,
    approval: { approve: true, note: 'Ada asked for it', at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string },
  };
  expect(JSON.parse(approved.stdout)).toEqual(decision);
  // The same again is no other decision, and changes nothing.
  expect(await client(['approve', id, '0', '--json'])).toMatchObject({ code: 0, stdout: approved.stdout });

  const late = await client(['reject', id, 'first']);
  expect(late.code).toBe(1);
  expect(late.stdout).toMatch(/^Step 0 was approved before, at .*; that decision is in force\n$/);

  expectRefusal(await client(['approve', id, 'third']), /has no step "third"/);
  expect((await client(['approve', id, 'mail'])).code).toBe(0);
  expect(await client(['watch', id])).toMatchObject({ code: 0 });
  expect(sandbox.effects()).toMatchObject({ charges: { length: 1 }, emails: { length: 1 } });
  // The decision is in force, though the plan has ended: approving twice is approving once.
  expect((await client(['approve', id, 'mail'])).code).toBe(0);
});

test('a step that needs no approval, and a plan that has ended', async () => {
  const { client, file, newId, release, sandbox } = rig();
  sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'slow', delayMs: untilReleased });
  const id = newId();
  await client(['start', await file({ steps: [email()] }), '--workflow-id', id, '--detach']);
  await expect.poll(() => sandbox.faults()[0]?.used).toBe(1);
  expectRefusal(await client(['approve', id, '0']), /Step 0 needs no approval/);
  await release();
  await client(['watch', id]);
  expectRefusal(await client(['approve', id, '0']), /has ended \(completed\); step 0 can no longer be decided/);
});
