/*
 * A deploy between two attempts (cases 11 and 39): the next worker would build another request, and its workflow code has
 * another recipe for keys. What was given out and recorded before is what is sent.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Context } from '@temporalio/activity';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Activities, type ActivityDeps, createActivities } from '../../src/activities/activities.js';
import { chargeOperation } from '../../src/activities/charge.js';
import { once } from '../../src/activities/once.js';
import { idempotencyKey } from '../../src/plan/idempotency-key.js';
import type { Report } from '../../src/plan/report.js';
import { charge, email } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { withStage } from './stage.js';
import { createHold, layWire } from './wire.js';

const plan = { steps: [charge(), email()] };
let folder: string;
let nextBundle: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
  nextBundle = join(folder, 'next-bundle.js');
  const code = await readFile(inject('workflowBundle'), 'utf8');
  const next = code.replace(/(['"])agent-plan\/v1\1/, '"agent-plan/v2"').replace('`ap1_${', '`ap2_${');
  expect(next.length).toBe(code.length);
  expect(next).toMatch(/`ap2_[^`]*`/);
  expect(next).toContain('"agent-plan/v2"');
  await writeFile(nextBundle, next);
});
afterAll(() => rm(folder, { recursive: true }));

/** The next build's charge, which describes itself; `built` gets what it would send. */
const nextCharge =
  (deps: ActivityDeps, built: unknown[]): Activities['charge'] =>
  ({ args, requestTimeout, approved, charged, ...identity }) => {
    const { stripe, stripeAccount: account } = deps;
    const { currentAttemptScheduledTimestampMs: attemptScheduledAt } = Context.current().info;
    const claim = { ...identity, attemptScheduledAt };
    const described = { ...args, description: 'By build N+1', metadata: { build: 'N+1' } };
    const operation = chargeOperation({ stripe, account, requestTimeout, claim }, described);
    built.push(operation.request);
    return once({ ...deps, requestTimeout, mayBegin: () => undefined }, claim, operation);
  };

test('the next build takes over between two attempts: same key, same bytes, one charge', async (context) => {
  const stage = await withStage(context);
  const hold = createHold();
  const wire = await layWire(stage.sandbox.stripeUrl, {
    async answer() {
      await hold.pass();
      throw new Error('the answer is lost');
    },
  });
  context.onTestFinished(() => wire.close());
  const stopFirst = await stage.startWorker({ stripeUrl: wire.url });
  const handle = await stage.start(plan);
  await hold.reached;
  const stopped = stopFirst();
  hold.open();
  await stopped;

  const built: unknown[] = [];
  await stage.startWorker({
    code: (deps) => ({
      workflowBundle: { codePath: nextBundle },
      activities: { ...createActivities(deps), charge: nextCharge(deps, built) },
    }),
  });
  const report = (await handle.result()) as Report;

  expect(report.status).toBe('completed');
  expect(JSON.stringify(built)).toContain('By build N+1');
  const { requests } = stage.sandbox.effects();
  const charges = requests.filter(({ path }) => path === '/v1/payment_intents');
  const key = idempotencyKey({ namespace: 'default', workflowId: handle.workflowId, stepIndex: 0, purpose: 'do' });
  expect(charges.map((made) => made.key)).toEqual([key, key]);
  expect(charges[1]?.body).toBe(charges[0]?.body);
  expect(charges.map(({ answer }) => answer)).toEqual(['executed', 'replayed']);
  expect(world(stage.sandbox)).toMatchObject({ charged: [2500], emails: 1 });
  // The recipe is another one indeed: the step that was not begun before the deploy has its key from the next build.
  expect(requests.find(({ path }) => path === '/emails')?.key).toMatch(/^ap2_1_do_/);
});
