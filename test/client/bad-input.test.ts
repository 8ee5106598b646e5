import { describe, expect, test } from 'vitest';
import { charge } from '../rig/plans.js';
import { expectRefusal } from './finished.js';
import { type ClientRig, useRig } from './rig.js';

const rig = useRig();

type Args = (rig: ClientRig) => Promise<string[]>;
const started =
  (plan: unknown, ...more: string[]): Args =>
  async ({ file }) => ['start', await file(plan), '--json', ...more];
const policed =
  (policy: unknown): Args =>
  async ({ file }) => ['start', await file({ steps: [charge()] }), '--policy', await file(policy), '--json'];
const typed =
  (...args: string[]): Args =>
  () =>
    Promise.resolve(args);

// What can be wrong in a plan, a policy or an id is tested with src/plan; here, that each kind ends the same way.
describe('refused with one line and exit code 2, and nothing is sent', () => {
  test.for<[string, Args, RegExp]>([
    ['no such file', typed('start', 'no-such-plan.json', '--json'), /plan: cannot read no-such-plan.json \(ENOENT\)/],
    ['not JSON', started('{ "steps": ['), /plan: is not JSON/],
    [
      'an idempotency key in the plan',
      started({ steps: [{ ...charge(), idempotency_key: 'mine' }] }),
      /steps\[0\].idempotency_key: is not a known field/,
    ],
    ['a padded id', started({ steps: [charge()] }, '--workflow-id', ' w1'), /workflow id: must not begin or end/],
    ['a plan over its policy', policed({ limits: { usd: 2499 } }), /refused by the policy: steps\[0\].args.amount/],
    [
      'a policy that contradicts itself',
      policed({ activity: { requestTimeout: '30s', startToCloseTimeout: '30s' } }),
      /policy: activity.requestTimeout: must be shorter/,
    ],
    ['a wrong command', typed('statsu', 'w1'), /unknown command 'statsu' \(Did you mean status\?\)/],
    ['a missing argument', typed('approve', 'w1'), /missing required argument 'step'/],
    ['a wrong number', typed('list', '--limit', 'all'), /--limit.*must be a number/],
    ['an unknown id', typed('status', 'nobody-started-this', '--json'), /No plan has the workflow id "nobody-started-/],
    ['an unknown id to cancel', typed('cancel', 'nobody-started-this'), /No plan has the workflow id/],
    [
      'an unknown id in the ledger',
      typed('receipts', 'nobody-started-this'),
      /The ledger has no plan with the workflow/,
    ],
  ])('%s', async ([, args, reason]) => {
    expectRefusal(await rig().client(await args(rig())), reason);
  });

  test('an unknown namespace', async () => {
    expectRefusal(
      await rig().begin(['status', 'w1'], { TEMPORAL_NAMESPACE: 'nowhere' }).finished,
      /no namespace "nowhere"/,
    );
  });

  test('no ledger file: an empty one is not made in its place', async () => {
    const finished = await rig().begin(['receipts', 'w1'], { LEDGER_URL: 'file:./no-such-folder/ledger.db' }).finished;
    expectRefusal(finished, /The ledger cannot be read \(there is no file .*is LEDGER_URL right/);
  });

  test('nothing of all this reached the world', () => {
    expect(rig().sandbox.effects().requests).toEqual([]);
  });
});
