/*
 * An attempt of a run that was terminated stands still before its claim, and goes on when the next run is at another
 * point, or has ended: what that run says stays true.
 */
import { expect, test, vi } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.js';
import { idempotencyKey } from '../../src/plan/idempotency-key.js';
import { patience } from '../limits.js';
import { charge, email } from '../rig/plans.js';
import { fewAttempts } from '../rig/policies.js';
import { world } from '../rig/world.js';
import { approve, reject, report, untilWaiting } from '../rig/server-calls.js';
import { type Stage, withStage } from './stage.js';
import { createHold, type Hold } from './wire.js';

const lookup = { tool: 'lookup_charge', args: { charge: 0 } };
const noReads = {
  service: 'stripe',
  match: 'GET /v1/payment_intents/*',
  fault: '502-before',
  times: 'always',
} as const;
const keyOf = (workflowId: string, stepIndex: number): string =>
  idempotencyKey({ namespace: 'default', workflowId, stepIndex, purpose: 'do' });

/** Holds the first claim of one step; `ended` resolves when it has come to its end after that. */
async function startHolding(stage: Stage, step: number): Promise<Hold & { ended: Promise<unknown> }> {
  const hold = createHold();
  let end: (outcome: unknown) => void = () => undefined;
  const ended = new Promise<unknown>((resolve) => (end = resolve));
  let used = false;
  const holding = (ledger: Ledger): Ledger =>
    Object.assign(Object.create(ledger) as Ledger, {
      async claim(...[claim, mayBegin]: Parameters<Ledger['claim']>) {
        if (used || claim.stepIndex !== step) return ledger.claim(claim, mayBegin);
        used = true;
        await hold.pass();
        const claiming = ledger.claim(claim, mayBegin);
        claiming.then(end, end);
        return claiming;
      },
    });
  await stage.startWorker({ change: ({ ledger }) => ({ ledger: holding(ledger) }) });
  return { ...hold, ended };
}

test('a step that was reported as skipped is not done afterwards', async (context) => {
  const stage = await withStage(context);
  const hold = await startHolding(stage, 2);
  const workflowId = stage.newId();
  const plan = { steps: [charge(), lookup, email()] };
  const first = await stage.start(plan, { workflowId });
  await hold.reached;
  await first.terminate();
  stage.sandbox.addFault(noReads);
  const second = await stage.start(plan, { workflowId, policy: fewAttempts });
  await expect(second.result()).rejects.toThrow();
  expect((await report(second)).steps[2]).toMatchObject({ status: 'skipped' });

  hold.open();

  expect(await hold.ended).toMatchObject({ name: 'AttemptTooLate' });
  expect(world(stage.sandbox)).toMatchObject({ charged: [2500], emails: 0 });
});

test.for([true, false])('what a person is asked for is not done before the answer (yes: %s)', async (yes, context) => {
  const stage = await withStage(context);
  const hold = await startHolding(stage, 1);
  const workflowId = stage.newId();
  const plan = { steps: [charge(2500), { ...charge(4000), approval: true }] };
  const key = keyOf(workflowId, 1);
  const first = await stage.start(plan, { workflowId });
  await untilWaiting(first, 1);
  await approve(first, 1, key);
  await hold.reached;
  await first.terminate();
  const second = await stage.start(plan, { workflowId });
  await untilWaiting(second, 1);

  hold.open();

  expect(await hold.ended).toMatchObject({ name: 'AttemptTooLate' });
  expect(world(stage.sandbox).charged).toEqual([2500]);
  await (yes ? approve : reject)(second, 1, key);
  await second.result().catch(() => undefined);
  expect((await report(second)).steps[1]).toMatchObject(
    yes ? { status: 'succeeded' } : { status: 'failed', error: { type: 'ApprovalRejected' } },
  );
  expect(world(stage.sandbox).charged).toEqual(yes ? [2500, 4000] : [2500]);
});

test.for([
  { onFailure: 'undo', status: 'undone', refunded: [4000, 2500] },
  { onFailure: 'stop', status: 'succeeded', refunded: [] },
])('a step that is done after a no that came early is told so, onFailure $onFailure', async (expected, context) => {
  const { onFailure, status, refunded } = expected;
  const stage = await withStage(context);
  const hold = await startHolding(stage, 2);
  const workflowId = stage.newId();
  const plan = { onFailure, steps: [charge(2500), lookup, { ...charge(4000), approval: true }] };
  const key = keyOf(workflowId, 2);
  const first = await stage.start(plan, { workflowId });
  await untilWaiting(first, 2);
  await approve(first, 2, key);
  await hold.reached;
  await first.terminate();
  stage.sandbox.addFault(noReads);
  const second = await stage.start(plan, { workflowId });
  await reject(second, 2, key);
  hold.open();
  await vi.waitFor(async () => expect((await stage.ledger.find(key))?.state).toBe('succeeded'), patience);

  stage.sandbox.clearFaults();

  await expect(second.result()).rejects.toThrow();
  const { steps } = await report(second);
  expect([steps[0], steps[2]]).toMatchObject([{ status }, { status }]);
  expect(steps[2]).not.toHaveProperty('error');
  expect(world(stage.sandbox)).toMatchObject({ charged: [2500, 4000], refunded });
});
