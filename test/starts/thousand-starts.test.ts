/* A thousand starts without an id, many in the same millisecond (case 14): no two plans share an id, no two steps a key. */
import { expect, test, vi } from 'vitest';
import type { Report } from '../../src/plan/report.js';
import { useRig } from '../client/rig.js';
import { charge, email } from '../rig/plans.js';

const plans = 1_000;
const atOnce = 20;

const rig = useRig();

test('each of a thousand plans has keys of its own, and all its effects', { timeout: 300_000 }, async () => {
  const { client, file, sandbox } = rig();
  const path = await file({ steps: [charge(100), email(), email()] });
  const keys = new Set<string>();
  let left = plans;
  const startInTurn = async (): Promise<void> => {
    while (left-- > 0) {
      const { code, stdout, stderr } = await client(['start', path, '--detach', '--json']);
      expect(code, stderr).toBe(0);
      for (const { key } of (JSON.parse(stdout) as Report).steps) keys.add(key ?? '');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, startInTurn));
  await vi.waitFor(() => expect(sandbox.effects().emails).toHaveLength(2 * plans), { timeout: 120_000, interval: 500 });

  expect(keys.size).toBe(3 * plans);
  const { charges, emails, requests } = sandbox.effects();
  expect(charges.filter(({ status }) => status === 'succeeded')).toHaveLength(plans);
  expect(emails).toHaveLength(2 * plans);
  expect(new Set([...charges, ...emails].map(({ key }) => key))).toEqual(keys);
  // No answer says that a key was used for something else.
  expect([...new Set(requests.map(({ status }) => status))]).toEqual([200]);
});
