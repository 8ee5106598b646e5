/* A person settles what nobody could tell; the same plan, started again, goes on from there. */
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.js';
import type { Report } from '../../src/plan/report.js';
import { claimOf, mayBegin, planFingerprint, unknown } from '../ledger/claims.js';
import { charge, email, refund } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { expectRefusal, type Finished } from './finished.js';
import { useRig } from './rig.js';

const rig = useRig();

/** What a policy needs for an outcome to stay unknown soon: two lost answers are the end. */
const impatient = { activity: { initialInterval: '50ms', maximumAttempts: 2 } };
const paid = { id: 'payment', ...charge() };
const posts = { charge: 'POST /v1/payment_intents', refund: 'POST /v1/refunds', email: 'POST /emails' };

const report = ({ stdout }: Finished): Report => JSON.parse(stdout) as Report;
const parsed = ({ stdout }: Finished): unknown => JSON.parse(stdout);

/** A plan that ended without knowing what became of one of its calls. */
async function endsUnknown(plan: object, lost: keyof typeof posts, fault: 'drop' | '502-before' = 'drop') {
  const { client, file, newId, sandbox } = rig();
  const id = newId();
  sandbox.addFault({ service: lost === 'email' ? 'mail' : 'stripe', match: posts[lost], fault, times: 2 });
  const start = ['start', await file(plan), '--workflow-id', id, '--json'];
  const first = await client([...start, '--policy', await file(impatient)]);
  expect(first.code).toBe(3);
  const before = world(sandbox);
  const resolve = (...args: string[]): Promise<Finished> => client(['resolve', id, ...args, '--json']);
  return { id, before, resolve, startAgain: () => client(start), keys: report(first).steps.map(({ key }) => key) };
}

/** What the world has seen since. */
const since = (before: ReturnType<typeof world>) => world(rig().sandbox).posts.slice(before.posts.length);
const lastCharge = (): string => rig().sandbox.effects().charges.at(-1)?.id ?? '';
const lastRefund = (): string => rig().sandbox.effects().refunds.at(-1)?.id ?? '';

test('it happened: the plan goes on after it, and charges nobody again', async () => {
  const { resolve, startAgain, before, id, keys } = await endsUnknown({ steps: [paid, email()] }, 'charge');
  const resolved = await resolve('payment', '--happened', lastCharge());
  expect(resolved).toMatchObject({ code: 0, stderr: '' });
  const verdict = { workflowId: id, namespace: 'default', step: 0, purpose: 'do', key: keys[0], state: 'succeeded' };
  expect(parsed(resolved)).toEqual(verdict);

  const again = await startAgain();
  expect(again.code).toBe(0);
  const result = { id: lastCharge(), amount: 2500, currency: 'usd' };
  expect(report(again)).toMatchObject({ status: 'completed', steps: [{ result }, { status: 'succeeded' }] });
  expect(since(before)).toEqual(['/emails']);
});

test('it did not happen: the step is failed, and nothing is charged', async () => {
  const { resolve, startAgain, before } = await endsUnknown({ steps: [paid, email()] }, 'charge', '502-before');
  const resolved = await resolve('payment', '--did-not-happen');
  expect(resolved).toMatchObject({ code: 0, stderr: '' });
  expect(parsed(resolved)).toMatchObject({ step: 0, state: 'failed' });

  const again = await startAgain();
  expect(again.code).toBe(1);
  const failed = { status: 'failed', error: { type: 'resolved' } };
  expect(report(again)).toMatchObject({ status: 'failed', steps: [failed, { status: 'skipped' }] });
  expect(since(before)).toEqual([]);
});

test('the same verdict once more is the same answer, another one is refused', async () => {
  const { resolve } = await endsUnknown({ steps: [paid] }, 'charge');
  const reference = lastCharge();
  const first = await resolve('0', '--happened', reference);
  for (const name of ['0', 'payment']) {
    expect(await resolve(name, '--happened', reference)).toMatchObject({ code: 0, stdout: first.stdout, stderr: '' });
  }
  expectRefusal(
    await resolve('0', '--happened', `${reference}0`),
    /^Step 0 has no unknown outcome: it is succeeded\n$/,
  );
  expectRefusal(await resolve('0', '--did-not-happen'), /^Step 0 has no unknown outcome: it is succeeded\n$/);

  const other = await endsUnknown({ steps: [paid] }, 'charge', '502-before');
  const denied = await other.resolve('0', '--did-not-happen');
  expect(await other.resolve('0', '--did-not-happen')).toMatchObject({ code: 0, stdout: denied.stdout });
  expectRefusal(await other.resolve('0', '--happened', reference), /^Step 0 has no unknown outcome: it is failed\n$/);
});

test('a refund', async () => {
  const { resolve, startAgain, before } = await endsUnknown({ steps: [paid, refund(0, 1000)] }, 'refund');
  expectRefusal(await resolve('1', '--happened', lastCharge()), /^Step 1 \(refund\): --happened must be .*re_/);
  expect((await resolve('1', '--happened', lastRefund())).code).toBe(0);
  const result = { id: lastRefund(), amount: 1000, currency: 'usd', charge: lastCharge() };
  expect(report(await startAgain())).toMatchObject({ status: 'completed', steps: [{}, { result }] });
  expect(since(before)).toEqual([]);
});

test('an e-mail', async () => {
  const { resolve, startAgain, before } = await endsUnknown({ steps: [email()] }, 'email');
  const reference = rig().sandbox.effects().emails.at(-1)?.id ?? '';
  expectRefusal(
    await resolve('0', '--happened', 'see my inbox'),
    /^Step 0 \(email\): --happened must be the provider's id/,
  );
  expect((await resolve('0', '--happened', reference)).code).toBe(0);
  expect(report(await startAgain())).toMatchObject({ status: 'completed', steps: [{ result: { id: reference } }] });
  expect(since(before)).toEqual([]);
});

test('an undo: the plan is undone by it', async () => {
  const { client, file, newId, sandbox } = rig();
  const id = newId();
  sandbox.addFault({ service: 'stripe', match: posts.refund, fault: 'drop', times: 'always' });
  const short = { requestTimeout: '2s', startToCloseTimeout: '3s', scheduleToCloseTimeout: '6s' };
  const start = ['start', await file({ onFailure: 'undo', steps: [paid, charge()] }), '--workflow-id', id, '--json'];
  sandbox.addFault({ service: 'stripe', match: posts.charge, fault: '400-rate-limit', skip: 1, times: 'always' });
  const policy = { activity: { ...impatient.activity, ...short } };
  expect((await client([...start, '--policy', await file(policy)])).code).toBe(3);
  sandbox.clearFaults();
  const before = world(sandbox);

  const resolve = (...args: string[]) => client(['resolve', id, ...args, '--json']);
  expectRefusal(
    await resolve('payment', '--happened', `${lastRefund()}x-y`),
    /^The undo of step 0 \(refund\): --happened must be .*re_/,
  );
  const resolved = await resolve('payment', '--happened', lastRefund());
  expect(resolved.code).toBe(0);
  expect(parsed(resolved)).toMatchObject({ step: 0, purpose: 'undo', state: 'succeeded' });
  expect(await resolve('payment', '--happened', lastRefund())).toMatchObject({ code: 0, stdout: resolved.stdout });

  const again = await client(start);
  expect(again.code).toBe(1);
  const undone = { status: 'undone', undo: { status: 'succeeded', result: { id: lastRefund(), amount: 2500 } } };
  expect(report(again)).toMatchObject({ status: 'undone', steps: [undone, {}] });
  expect(since(before)).toEqual([]);
});

describe('refused', () => {
  test('a reference of something else than the step does', async () => {
    const { resolve } = await endsUnknown({ steps: [paid] }, 'charge');
    for (const reference of ['re_1', 'ch_1', 'pi_', 'pi_1_secret_2', 'pi_1 ', lastCharge().toUpperCase()]) {
      expectRefusal(await resolve('0', '--happened', reference), /^Step 0 \(charge\): --happened must be .*pi_…\n$/);
    }
    expectRefusal(await resolve('0'), /needs either --happened REF or --did-not-happen/);
    expectRefusal(await resolve('0', '--happened', 'pi_1', '--did-not-happen'), /needs either/);
    expect((await resolve('0', '--happened', lastCharge())).code).toBe(0);
  });

  test('a step that is not unknown, or that there is not', async () => {
    const { client, file, newId, untilWaiting } = rig();
    const id = newId();
    await client([
      'start',
      await file({ steps: [paid, { approval: true, ...email() }] }),
      '--workflow-id',
      id,
      '--detach',
    ]);
    await untilWaiting(id);
    expectRefusal(
      await client(['resolve', id, '0', '--did-not-happen', '--json']),
      /still runs: cancel it, or let it end/,
    );
    await client(['cancel', id]);

    const resolve = (...args: string[]) => client(['resolve', id, ...args, '--json']);
    expectRefusal(await resolve('payment', '--did-not-happen'), /^Step 0 has no unknown outcome: it is succeeded\n$/);
    expectRefusal(await resolve('1', '--did-not-happen'), /^The ledger has no record of step 1\n$/);
    expectRefusal(await resolve('7', '--did-not-happen'), /^The ledger has no record of step 7\n$/);
    expectRefusal(await resolve('paymnt', '--did-not-happen'), /^The plan ".*" has no step "paymnt"\n$/);
  });

  test("the name of a step in another plan, which was tried under this plan's id", async () => {
    const { client, taskQueue, temporal } = rig();
    const { id, resolve } = await endsUnknown({ steps: [email('first'), paid] }, 'charge');
    const plan = { steps: [paid, email()] };
    const other = await temporal.workflow.start('agentPlan', { taskQueue, workflowId: id, args: [{ plan }] });
    await expect(other.result()).rejects.toMatchObject({ cause: { type: 'PlanChanged' } });
    expectRefusal(
      await resolve('payment', '--did-not-happen'),
      /had another plan than the ledger knows: give the step's/,
    );
    expect((await client(['resolve', id, '1', '--happened', lastCharge()])).code).toBe(0);
  });

  test('the name of a step of a plan that the server forgot: its index is known still', async () => {
    const { client, environment, newId } = rig();
    const id = newId();
    const ledger = await openLedger(environment['LEDGER_URL'] ?? '');
    const identity = { namespace: 'default', workflowId: id };
    const request = JSON.stringify({ params: { amount: 2500, currency: 'usd' } });
    const record = claimOf({ ...identity, request });
    await ledger.openPlan(identity, planFingerprint);
    await ledger.claim(record, mayBegin);
    await ledger.settle(record.key, unknown());
    await ledger.close();

    const resolve = (step: string) => client(['resolve', id, step, '--happened', 'pi_1', '--json']);
    expectRefusal(await resolve('payment'), /^The server no longer knows the plan ".*": give the step's index\n$/);
    expect(await resolve('0')).toMatchObject({ code: 0, stderr: '' });
  });

  test('without a ledger', async () => {
    const finished = await rig().begin(['resolve', 'w1', '0', '--did-not-happen'], {
      LEDGER_URL: 'file:./no-such-folder/ledger.db',
    }).finished;
    expectRefusal(finished, /The ledger cannot be read \(there is no file .*is LEDGER_URL right/);
  });
});
