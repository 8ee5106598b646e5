/*
 * The headline: the provider did the work, and its answer was lost on the way back.
 *
 *     worker ──request, key──▶ gateway ──▶ provider: done!
 *        ▲                        │
 *        └────────── ✗ ◀──────────┘
 *
 * Whatever the fault looks like to the worker, the outside world must have seen one effect, and the same request
 * under the same key every time. What counts is what the sandbox saw (`/effects`), not what our own log says.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { idempotencyKey } from '../src/plan/idempotency-key.js';
import { parsePlan } from '../src/plan/plan.js';
import type { FaultName, FaultRule } from '../src/sandbox/sandbox.js';
import { impatientPolicy } from './rig/policies.js';
import type { Rig } from './rig/rig.js';
import { withRig } from './rig/with-rig.js';

const plan = parsePlan(readFileSync(new URL('../plans/order.json', import.meta.url), 'utf8'));

/** The same fault on both wires. `delayMs` matters to `late` and `slow` only: longer than the request time-out. */
function lose({ sandbox }: Rig, fault: FaultName, more: Partial<FaultRule> = {}): void {
  sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault, delayMs: 1_000, ...more });
  sandbox.addFault({ service: 'mail', match: 'POST /emails', fault, delayMs: 1_000, ...more });
}

/** All requests of one step: how often, under which keys, with which bodies. */
function requests({ sandbox }: Rig, path: string): { count: number; keys: (string | null)[]; bodies: string[] } {
  const seen = sandbox.effects().requests.filter((request) => request.method === 'POST' && request.path === path);
  return {
    count: seen.length,
    keys: [...new Set(seen.map(({ key }) => key))],
    bodies: [...new Set(seen.map(({ body }) => body))],
  };
}

const lostAnswers: FaultName[] = ['drop', 'hang', 'late', 'slow', '502-after', 'empty-200', 'trickle'];
const cutAnswers: FaultName[] = ['truncate-clean', 'truncate-length', 'truncate-stall'];
const notThisTime: FaultName[] = ['502-before', '429', '400-rate-limit', 'lock-timeout', '409'];

describe.concurrent('a step takes effect once, although', () => {
  test.for([...lostAnswers, ...cutAnswers, ...notThisTime])('the first answer is: %s', async (fault, context) => {
    const started = await withRig(context);
    const workflowId = started.newId();
    lose(started, fault);

    const { report } = await started.run(plan, { workflowId, policy: impatientPolicy });

    const { charges, emails } = started.sandbox.effects();
    expect(charges.map(({ status, amount }) => ({ status, amount }))).toEqual([{ status: 'succeeded', amount: 2500 }]);
    expect(emails.map(({ text }) => text)).toEqual([`We charged $25.00 (payment ${charges[0]?.id}).`]);
    expect(report.status).toBe('completed');

    for (const [stepIndex, path] of ['/v1/payment_intents', '/emails'].entries()) {
      const { count, keys, bodies } = requests(started, path);
      const key = idempotencyKey({ namespace: 'default', workflowId, stepIndex, purpose: 'do' });
      expect(count).toBeGreaterThan(1);
      expect(keys).toEqual([key]);
      expect(bodies).toHaveLength(1);
    }
  });

  test('five answers in a row are lost', async (context) => {
    const started = await withRig(context);
    lose(started, 'drop', { times: 5 });

    const { report } = await started.run(plan);

    expect(report.status).toBe('completed');
    expect(report.steps.map(({ attempts }) => attempts)).toEqual([6, 6]);
    expect(requests(started, '/v1/payment_intents')).toMatchObject({ count: 6, keys: { length: 1 } });
    expect(started.sandbox.effects().charges).toHaveLength(1);
    expect(started.sandbox.effects().emails).toHaveLength(1);
  });
});

test('the pauses between the attempts grow as the policy says', async (context) => {
  const started = await withRig(context);
  started.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop', times: 3 });
  const policy = { activity: { initialInterval: '300ms', backoffCoefficient: 3, maximumInterval: '10s' } };

  await started.run({ steps: plan.steps.slice(0, 1) }, { policy });

  const times = started.sandbox.effects().requests.map(({ at }) => Date.parse(at));
  const pauses = times.slice(1).map((time, index) => time - Number(times[index]));
  expect(pauses).toHaveLength(3);
  for (const [index, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(300 * 3 ** index);
});

describe.concurrent('no answer at all', () => {
  const threeAttempts = {
    activity: { requestTimeout: '10s', startToCloseTimeout: '20s', initialInterval: '50ms', maximumAttempts: 3 },
  };

  test('is an unknown outcome, and starting the same plan again finds the effect', async (context) => {
    const started = await withRig(context);
    const workflowId = started.newId();
    started.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop', times: 3 });

    const first = await started.run(plan, { workflowId, policy: threeAttempts });
    expect(first.failure?.type).toBe('PlanOutcomeUnknown');
    expect(first.failure?.message).toMatch(/not known whether the charge took effect.*same workflow id/);
    expect(first.report.steps.map(({ status }) => status)).toEqual(['outcome_unknown', 'skipped']);
    expect(started.sandbox.effects().charges).toHaveLength(1);
    expect(started.sandbox.effects().emails).toHaveLength(0);

    const second = await started.run(plan, { workflowId });
    expect(second.report.status).toBe('completed');
    expect(started.sandbox.effects().charges).toHaveLength(1);
    expect(started.sandbox.effects().emails).toHaveLength(1);
    expect(requests(started, '/v1/payment_intents').keys).toHaveLength(1);
  });

  test('but surely nothing done is a failure, and starting the same plan again does it', async (context) => {
    const started = await withRig(context);
    const workflowId = started.newId();
    started.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: '429', times: 3 });

    const first = await started.run(plan, { workflowId, policy: threeAttempts });
    expect(first.failure?.type).toBe('PlanFailed');
    expect(first.report.steps[0]).toMatchObject({ status: 'failed', error: { code: 'rate_limit' } });
    expect(started.sandbox.effects().charges).toHaveLength(0);

    const second = await started.run(plan, { workflowId });
    expect(second.report.status).toBe('completed');
    expect(started.sandbox.effects().charges).toHaveLength(1);
  });

  test('is what a stored 500 gives for ever: nothing was executed, so nobody can tell', async (context) => {
    const started = await withRig(context);
    started.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: '500-saved' });

    const { report } = await started.run(plan);

    expect(report.status).toBe('outcome_unknown');
    expect(started.sandbox.effects()).toMatchObject({ charges: [], emails: [] });
    expect(requests(started, '/v1/payment_intents').keys).toHaveLength(1);
  });

  test('is what a stored 500 gives for ever: it was executed, so the effect is found and adopted', async (context) => {
    const started = await withRig(context);
    started.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: '500-saved-after' });

    const { report } = await started.run(plan);

    const [charge, ...more] = started.sandbox.effects().charges;
    expect(more).toEqual([]);
    expect(report.status).toBe('completed');
    expect(report.steps[0]).toMatchObject({ status: 'succeeded', result: { id: charge?.id } });
    expect(requests(started, '/v1/payment_intents').keys).toHaveLength(1);
  });
});
