import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/plan/report.js';
import { untilReleased } from '../rig/held-delays.js';
import { charge, declined, email } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { expectRefusal, type Finished } from './finished.js';
import { useRig } from './rig.js';

const rig = useRig();
const order = { goal: 'Order 1042', steps: [{ id: 'payment', ...charge() }, email()] };

const report = ({ stdout }: Finished): Report => JSON.parse(stdout) as Report;
/** How many requests that may do something the world has seen so far. */
const posts = (): number => world(rig().sandbox).posts.length;

describe('start', () => {
  test('says keys and link before it starts, each change on its way, and the report at the end', async () => {
    const { begin, environment, file, newId, release, sandbox, temporal } = rig();
    const id = newId();
    sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'slow', delayMs: untilReleased });
    const starting = begin(['start', await file(order), '--workflow-id', id]);
    await starting.said(/step 0 payment · charge \$25.00 · succeeded/);
    await release();
    const { code, stdout, stderr } = await starting.finished;

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const port = Number(environment['TEMPORAL_ADDRESS']?.split(':')[1]);
    expect(stdout).toMatch(
      new RegExp(
        `^Workflow id: ${id}\nKeys:\n  0 payment  charge \\$25.00 +ap1_0_do_\\w{64}\n  1 +email to ada@example.com  ap1_1_do_\\w{64}\n` +
          `Web UI: http://127.0.0.1:${port + 1000}/namespaces/default/workflows/${id}\n`,
      ),
    );
    expect(stdout).toMatch(/step 0 payment · charge \$25.00 · succeeded · attempt 1 · pi_\w+ \$25.00\n/);
    expect(stdout).toMatch(new RegExp(`\n${id}: completed\n`));

    const run = await temporal.workflow.getHandle(id).describe();
    expect(run.memo).toMatchObject({ summary: 'Order 1042' });
    expect(await run.staticSummary()).toBe('Order 1042');
    expect(await run.staticDetails()).toBe(
      'Order 1042\n\n- **0** payment charge $25.00\n- **1**  email to ada@example.com',
    );
  });

  test('again, three times: the same report, and nothing is asked for again', async () => {
    const { client, file, newId } = rig();
    const command = ['start', await file(order), '--workflow-id', newId(), '--json'];
    const first = await client(command);
    expect(first.code).toBe(0);
    expect(report(first)).toMatchObject({
      status: 'completed',
      steps: [{ id: 'payment', attempts: 1 }, { tool: 'email' }],
    });
    const before = posts();
    for (let time = 0; time < 3; time++) {
      expect(await client(command)).toMatchObject({ code: 0, stdout: first.stdout });
    }
    expect(posts()).toBe(before);
  });

  test('twice at the same instant: one run, and both show its report', async () => {
    const { begin, file, newId, release, sandbox } = rig();
    sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'late', delayMs: untilReleased });
    const before = world(sandbox);
    const command = ['start', await file(order), '--workflow-id', newId(), '--json'];
    const starting = [begin(command), begin(command)] as const;
    await Promise.all(starting.map(({ said }) => said(/Workflow id: /)));
    await release();
    const [one, other] = await Promise.all([starting[0].finished, starting[1].finished]);
    expect([one.code, other.code]).toEqual([0, 0]);
    expect(report(one)).toEqual(report(other));
    expect(world(sandbox).charged).toHaveLength(before.charged.length + 1);
    expect(world(sandbox).emails).toBe(before.emails + 1);
  });

  test('another plan under the id: refused, whatever became of the first', async () => {
    const { client, file, newId } = rig();
    const id = newId();
    const again = async (plan: unknown) => client(['start', await file(plan), '--workflow-id', id, '--json']);
    const first = await again({ steps: [declined('pm_card_chargeDeclinedInsufficientFunds')] });
    expect(first.code).toBe(1);
    const error = { code: 'card_declined', decline_code: 'insufficient_funds' };
    expect(report(first)).toMatchObject({ status: 'failed', steps: [{ status: 'failed', attempts: 1, error }] });

    const before = posts();
    expectRefusal(await again({ steps: [charge()] }), /plan differs from the recorded plan; use a new workflow id/);
    // The same plan runs again, and its answer is the recorded one.
    const second = await again({ steps: [declined('pm_card_chargeDeclinedInsufficientFunds')] });
    expect(second.code).toBe(1);
    expect(report(second).steps).toMatchObject([{ status: 'failed', replays: 1, error }]);
    expect(posts()).toBe(before);
  });

  test('another plan that was started by another program a moment ago, without a memo', async () => {
    const { client, file, newId, temporal, stopWorker, startWorker, taskQueue } = rig();
    const id = newId();
    await stopWorker();
    await temporal.workflow.start('agentPlan', { taskQueue, workflowId: id, args: [{ plan: order }] });
    const other = await file({ steps: [charge(9000)] });
    expectRefusal(await client(['start', other, '--workflow-id', id, '--json']), /plan differs/);
    await startWorker();
    expect((await client(['start', await file(order), '--workflow-id', id, '--json'])).code).toBe(0);
  });

  test("refused by the worker's policy, which is stricter than the client's: exit code 2 as well", async () => {
    const { client, file, newId } = rig();
    const before = posts();
    const command = ['start', await file({ steps: [charge(100_001)] }), '--workflow-id', newId()];
    for (const more of [[], ['--detach']]) {
      const finished = await client([...command, ...more]);
      expect(finished.code).toBe(2);
      expect(finished.stderr).toMatch(/^refused by the worker's policy: steps\[0\].args.amount: .*\n$/);
    }
    expect(posts()).toBe(before);
  });

  test('an unknown outcome: exit code 3, and starting again finds the effect', async () => {
    const { client, file, newId, sandbox } = rig();
    sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop', times: 2 });
    const before = world(sandbox);
    const activity = { initialInterval: '50ms', maximumAttempts: 2 };
    const command = ['start', await file(order), '--workflow-id', newId(), '--json'];
    const first = await client([...command, '--policy', await file({ activity })]);
    expect(first.code).toBe(3);
    expect(report(first)).toMatchObject({
      status: 'outcome_unknown',
      steps: [
        { status: 'outcome_unknown', attempts: 2, error: { message: /same workflow id/ } },
        { status: 'skipped' },
      ],
    });
    const second = await client(command);
    expect(second.code).toBe(0);
    expect(report(second)).toMatchObject({ status: 'completed', steps: [{ replays: 1 }, { status: 'succeeded' }] });
    expect(world(sandbox).charged).toHaveLength(before.charged.length + 1);
  });

  test('without an id: a new one, which is said', async () => {
    const { client, file } = rig();
    const { code, stdout, stderr } = await client(['start', await file({ steps: [email()] }), '--detach', '--json']);
    expect(code).toBe(0);
    const [, id] = /^Workflow id: (plan-[0-9a-f-]{36})\nWeb UI: /.exec(stderr) ?? [];
    expect(JSON.parse(stdout)).toMatchObject({ workflowId: id });
  });
});
