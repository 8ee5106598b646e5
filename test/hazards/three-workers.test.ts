/* Three worker processes on one task queue, and 50 plans of two equal e-mails (case 59). */
import type { WorkflowHandle } from '@temporalio/client';
import { expect, test } from 'vitest';
import type { Plan } from '../../src/plan/plan-schema.js';
import { email } from '../rig/plans.js';
import { withProcessRig } from '../rig/process-rig.js';

const plans = 50;
/** No answer is given up on: a late one would be a second request. */
const policy = { activity: { requestTimeout: '30s', startToCloseTimeout: '60s' } };

test('three workers share 50 plans: every e-mail goes out once, and no request follows its answer', async (context) => {
  const rig = await withProcessRig(context, policy);
  await Promise.all([1, 2, 3].map(() => rig.startWorker()));
  await rig.untilPolled(3);
  const plan = { steps: [email(), email()] } as Plan;
  const handles = await Promise.all(Array.from({ length: plans }, () => rig.start(plan)));
  for (const handle of handles) expect(await handle.result()).toMatchObject({ status: 'completed' });

  const { emails, requests: all } = rig.sandbox.effects();
  // A worker asks Stripe who it is when it starts.
  const requests = all.filter(({ service }) => service === 'mail');
  expect(emails).toHaveLength(2 * plans);
  expect(new Set(emails.map(({ key }) => key)).size).toBe(2 * plans);
  expect(requests.map(({ key, answer }) => ({ key, answer }))).toEqual(
    requests.map(({ key }) => ({ key, answer: 'executed' })),
  );
  expect(requests).toHaveLength(2 * plans);
  const identities = await Promise.all(handles.map(identitiesOf));
  expect(new Set(identities.flat()).size).toBe(3);
});

/** The workers that made the plan's attempts, by process. */
async function identitiesOf(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap((event) => event.activityTaskStartedEventAttributes?.identity ?? []);
}
