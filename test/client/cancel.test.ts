import { expect, test } from 'vitest';
import { untilReleased } from '../rig/held-delays.js';
import { charge, email } from '../rig/plans.js';
import { unhurried } from '../rig/policies.js';
import { untilCancelHeard } from '../rig/server-calls.js';
import { useRig } from './rig.js';

const rig = useRig();
const parsed = (text: string): unknown => JSON.parse(text);

test('while money is moving: the charge is not denied, and no mail is sent', async () => {
  const { client, file, newId, release, sandbox, temporal } = rig();
  sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'late', delayMs: untilReleased });
  const id = newId();
  const plan = await file({ steps: [charge(), email()] });
  await client(['start', plan, '--workflow-id', id, '--policy', await file(unhurried), '--detach']);

  await expect.poll(() => sandbox.effects().charges).toHaveLength(1);
  const cancelling = client(['cancel', id, '--json']);
  await untilCancelHeard(temporal.workflow.getHandle(id));
  await release();
  const cancelled = await cancelling;
  expect(cancelled.code).toBe(1);
  expect(parsed(cancelled.stdout)).toMatchObject({
    status: 'cancelled',
    steps: [{ status: 'succeeded', result: { id: sandbox.effects().charges[0]?.id } }, { status: 'skipped' }],
  });
  expect(sandbox.effects()).toMatchObject({ charges: { length: 1 }, emails: { length: 0 } });
  // Once more is no other end.
  expect(await client(['cancel', id, '--json'])).toMatchObject({ code: 1, stdout: cancelled.stdout });
});

test('a plan that completed anyway', async () => {
  const { client, file, newId } = rig();
  const id = newId();
  const completed = await client(['start', await file({ steps: [email()] }), '--workflow-id', id, '--json']);
  expect(await client(['cancel', id, '--json'])).toMatchObject({ code: 0, stdout: completed.stdout });
});
