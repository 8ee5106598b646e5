/* The largest plan, all of which an earlier run did, is told of at once: within the time that a workflow task has. */
import { expect, test } from 'vitest';
import { claimOf, mayBegin, succeeded } from '../ledger/claims.js';
import { fingerprint } from '../../src/plan/fingerprint.js';
import { email } from '../rig/plans.js';
import { report } from '../rig/server-calls.js';
import { withStage } from './stage.js';

const plan = { steps: Array.from({ length: 1000 }, () => email()) };

test('a thousand steps of an earlier run are reported by one that is cancelled', async (context) => {
  const stage = await withStage(context);
  const id = { namespace: 'default', workflowId: stage.newId() };
  const planFingerprint = fingerprint(plan);
  await stage.ledger.openPlan(id, planFingerprint);
  for (const [stepIndex, step] of plan.steps.entries()) {
    const claim = claimOf({ ...id, planFingerprint, stepIndex, tool: 'email', stepFingerprint: fingerprint(step) });
    await stage.ledger.claim(claim, mayBegin);
    await stage.ledger.settle(claim.key, succeeded('e'));
  }
  const handle = await stage.start(plan, id);
  await handle.cancel();
  // With the time limit of the SDK on workflow code, which workers of tests do without.
  await stage.startWorker({ code: () => ({ debugMode: false }) });

  await expect(handle.result()).rejects.toThrow(/cancelled/);
  const { steps } = await report(handle);
  expect(new Set(steps.map(({ status }) => status))).toEqual(new Set(['succeeded']));
  const { events } = await handle.fetchHistory();
  const failed = events?.filter(
    (event) => event.workflowTaskFailedEventAttributes ?? event.workflowTaskTimedOutEventAttributes,
  );
  expect(failed).toEqual([]);
  expect(stage.sandbox.effects().requests).toEqual([]);
});
