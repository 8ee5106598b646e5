import { beforeAll, describe, expect, test, vi } from 'vitest';
import { requireRun } from '../../src/client/recorded-run.js';
import { readStanding } from '../../src/client/standing.js';
import { withTemporal } from '../../src/client/temporal.js';
import { commonConfig } from '../../src/config.js';
import type { Report } from '../../src/plan/report.js';
import { patience } from '../limits.js';
import { charge, declined, email } from '../rig/plans.js';
import { useRig } from './rig.js';

const rig = useRig();

const approved = { approval: true, ...email() };
const noLedger = { LEDGER_URL: 'file:./no-such-folder/ledger.db' };

/** A worker that has gone is not waited for long. */
const answerTimeout = 1_000;

/** Plans that have ended, each in its way, and no worker to ask about them. */
const ids = { completed: '', declined: '', undone: '', again: '', waiting: '', lost: '', timedOut: '', untouched: '' };

beforeAll(async () => {
  const { newId, sandbox, stopWorker, taskQueue, temporal } = rig();
  for (const name of Object.keys(ids) as (keyof typeof ids)[]) ids[name] = newId();
  const start = (workflowId: string, steps: object[], policy = {}, options = {}, onFailure = 'stop') => {
    const plan = { onFailure, steps };
    return temporal.workflow.start('agentPlan', { taskQueue, workflowId, args: [{ plan, policy }], ...options });
  };
  const statusOf = async (id: string): Promise<string> =>
    (await temporal.workflow.getHandle(id).query<Report>('report')).status;

  await (await start(ids.completed, [charge()])).result();
  await expect((await start(ids.declined, [charge(), declined()])).result()).rejects.toThrow();
  await expect((await start(ids.undone, [charge(), declined()], {}, {}, 'undo')).result()).rejects.toThrow();
  const undone = await start(ids.again, [charge(), declined()], {}, {}, 'undo');
  await expect(undone.result()).rejects.toThrow();
  const again = await start(ids.again, [charge(), declined()], {}, {}, 'undo');
  await expect(again.result()).rejects.toMatchObject({ cause: { type: 'PlanClosed' } });
  await start(ids.waiting, [charge(), approved]);
  await vi.waitFor(async () => expect(await statusOf(ids.waiting)).toBe('waiting_for_approval'), patience);
  const timedOut = await start(ids.timedOut, [approved], {}, { workflowExecutionTimeout: '2s' });
  await expect(timedOut.result()).rejects.toThrow();
  sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop', times: 'always' });
  await start(ids.lost, [charge(), email()], { activity: { initialInterval: '1m' } });
  await vi.waitFor(() => expect(sandbox.faults()[0]?.used).toBe(1), patience);
  await stopWorker();
  await start(ids.untouched, [charge()]);
  for (const id of [ids.waiting, ids.lost, ids.untouched]) await temporal.workflow.getHandle(id).terminate();
});

async function reportOf(id: string, environment: Record<string, string>): Promise<Report> {
  return withTemporal(commonConfig({ ...rig().environment, ...environment }), async (temporal) => {
    const run = await requireRun(temporal, id);
    return (await readStanding(temporal, run, answerTimeout)).report;
  });
}

const paid = { status: 'succeeded', attempts: 1, result: { amount: 2500 } };
const refused = { status: 'failed', error: { code: 'card_declined' } };
const unknown = { status: 'outcome_unknown', error: { type: 'outcome_unknown' } };
const skipped = { status: 'skipped' };

describe.concurrent('with no worker, and the ledger at hand, a plan', () => {
  test.for<[keyof typeof ids, string, object[]]>([
    ['completed', 'completed', [paid]],
    ['declined', 'failed', [paid, refused]],
    ['undone', 'undone', [{ ...paid, status: 'undone', undo: { status: 'succeeded' } }, refused]],
    ['again', 'undone', [{ ...paid, status: 'undone', undo: { status: 'succeeded' } }, refused]],
    ['waiting', 'cancelled', [paid, skipped]],
    ['lost', 'outcome_unknown', [unknown, skipped]],
    ['timedOut', 'failed', [skipped]],
    ['untouched', 'cancelled', [skipped]],
  ])('%s is %s', async ([name, status, steps]) => {
    expect(await reportOf(ids[name], {})).toMatchObject({ workflowId: ids[name], status, steps });
  });
});

describe.concurrent('with neither worker nor ledger, nothing is denied: a plan', () => {
  test.for<[keyof typeof ids, string, object[]]>([
    ['completed', 'completed', [paid]],
    ['declined', 'failed', [{ status: 'succeeded' }, refused]],
    ['undone', 'undone', [{ status: 'undone' }, refused]],
    ['again', 'outcome_unknown', [unknown, unknown]],
    ['waiting', 'outcome_unknown', [unknown, skipped]],
    ['lost', 'outcome_unknown', [unknown, skipped]],
    ['untouched', 'cancelled', [skipped]],
  ])('%s is %s', async ([name, status, steps]) => {
    expect(await reportOf(ids[name], noLedger)).toMatchObject({ workflowId: ids[name], status, steps });
  });
});
