/* Three workers on one task queue, each with its own connections, and 50 plans of two equal e-mails (case 59). */
import { expect, test } from 'vitest';
import { email } from '../rig/plans.js';
import { withStage } from './stage.js';

const plans = 50;

test('three workers share 50 plans: every e-mail goes out once, and no request follows its answer', async (context) => {
  const stage = await withStage(context);
  const workers = [1, 2, 3];
  const attempts = workers.map(() => 0);
  for (const index of workers.keys()) {
    const breakAt = (point: string): void => {
      if (point === 'before-claim') attempts[index] = (attempts[index] ?? 0) + 1;
    };
    await stage.startWorker({ change: () => ({ breakAt }) });
  }
  const handles = await Promise.all(Array.from({ length: plans }, () => stage.start({ steps: [email(), email()] })));
  for (const handle of handles) expect(await handle.result()).toMatchObject({ status: 'completed' });

  const { emails, requests } = stage.sandbox.effects();
  expect(emails).toHaveLength(2 * plans);
  expect(new Set(emails.map(({ key }) => key)).size).toBe(2 * plans);
  expect(requests.map(({ key, answer }) => ({ key, answer }))).toEqual(
    requests.map(({ key }) => ({ key, answer: 'executed' })),
  );
  expect(requests).toHaveLength(2 * plans);
  expect(attempts.every((count) => count > 0)).toBe(true);
});
