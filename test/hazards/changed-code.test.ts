/*
 * A deploy between two attempts (cases 11 and 39): the next worker would build another request, and its workflow code has
 * another recipe for keys. What was given out and recorded before is what is sent.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Activities, type ActivityDeps, createActivities } from '../../src/activities/activities.js';
import { idempotencyKey } from '../../src/plan/idempotency-key.js';
import { charge } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { withStage } from './stage.js';
import { createHold, layWire } from './wire.js';

const plan = { steps: [charge(), charge(4000)] };
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

/** The next build's charge describes itself. */
function nextActivities(deps: ActivityDeps): Activities {
  const activities = createActivities(deps);
  return {
    ...activities,
    charge: (input) => activities.charge({ ...input, args: { ...input.args, description: 'By the next build' } }),
  };
}

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

  await stage.startWorker({
    code: (deps) => ({ workflowBundle: { codePath: nextBundle }, activities: nextActivities(deps) }),
  });
  expect(await handle.result()).toMatchObject({ status: 'completed' });

  const key = idempotencyKey({ namespace: 'default', workflowId: handle.workflowId, stepIndex: 0, purpose: 'do' });
  const [first, second, next, ...more] = stage.sandbox.effects().requests;
  expect([first, second]).toMatchObject([
    { key, answer: 'executed' },
    { key, answer: 'replayed' },
  ]);
  expect(second?.body).toBe(first?.body);
  expect(world(stage.sandbox).charged).toEqual([2500, 4000]);
  // The next build is another one indeed: what had not been begun before it is asked for in its way, under its keys.
  expect(next?.key).toMatch(/^ap2_1_do_/);
  expect(decodeURIComponent(next?.body ?? '')).toContain('By the next build');
  expect(more).toEqual([]);
});
