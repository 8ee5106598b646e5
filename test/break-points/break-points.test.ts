/*
 * The worker breaks, by SIGKILL or by an error, at each point where a crash leaves different traces:
 *
 *     before-claim ─▶ claim ─▶ after-claim ─▶ request, commit, answer ─▶ after-answer ─▶ settle ─▶ after-settle
 *
 * Whatever it was at, the next worker ends the plan, and the outside world has seen one effect.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { breakPoints } from '../../src/activities/break-point.js';
import type { Plan } from '../../src/plan/plan-schema.js';
import type { Report } from '../../src/plan/report.js';
import { charge, declined, email, refund } from '../rig/plans.js';
import { type ProcessRig, withProcessRig } from '../rig/process-rig.js';
import { world } from '../rig/world.js';

/** Only a request that was answered before the break is made once more, and answered by the provider's memory. */
const mostPosts = { 'before-claim': 1, 'after-claim': 1, 'after-answer': 2, 'after-settle': 1 };

const cases = breakPoints.flatMap((point) => (['kill', 'throw'] as const).map((how) => ({ point, how })));

const tools = [
  { name: 'a charge', steps: [charge()], index: 0, path: '/v1/payment_intents', effects: { charged: [2500] } },
  { name: 'an e-mail', steps: [email()], index: 0, path: '/emails', effects: { emails: 1 } },
  { name: 'a refund', steps: [charge(), refund(0, 900)], index: 1, path: '/v1/refunds', effects: { refunded: [900] } },
];

const posts = ({ sandbox }: ProcessRig, path: string): number =>
  sandbox.effects().requests.filter((made) => made.method === 'POST' && made.path === path).length;

/** Starts a worker that breaks; when a killed one is gone, starts the next, which remembers that it broke. */
async function breakOnce(rig: ProcessRig, breakAt: string, how: 'kill' | 'throw'): Promise<void> {
  const worker = await rig.startWorker(breakAt);
  if (how === 'throw') return;
  while (!worker.hasEnded()) await sleep(50);
  await rig.startWorker(breakAt);
}

describe.concurrent.each(tools)('$name', ({ steps, index, path, effects }) => {
  test.for(cases)('$point: $how', async ({ point, how }, context) => {
    const rig = await withProcessRig(context);
    const handle = await rig.start({ steps } as Plan);
    await breakOnce(rig, `${point}:${index}:${how}`, how);
    const report = (await handle.result()) as Report;
    expect(report.status).toBe('completed');
    expect(world(rig.sandbox)).toMatchObject(effects);
    expect(posts(rig, path)).toBeLessThanOrEqual(mostPosts[point]);
  });
});

describe.concurrent('an undo', () => {
  test.for(cases)('$point: $how', async ({ point, how }, context) => {
    const rig = await withProcessRig(context);
    const { sandbox } = rig;
    // The undo has its step's index. A first worker does the step itself, and comes no further than to ask for the undo.
    sandbox.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault: '429', times: 'always' });
    const handle = await rig.start({ onFailure: 'undo', steps: [charge(), declined()] } as Plan);
    const first = await rig.startWorker();
    while (posts(rig, '/v1/refunds') === 0) await sleep(50);
    await first.stop();
    const before = posts(rig, '/v1/refunds');
    sandbox.clearFaults();

    await breakOnce(rig, `${point}:0:${how}`, how);
    await handle.result().catch(() => undefined);
    expect(await handle.query<Report>('report')).toMatchObject({ status: 'undone', steps: [{ status: 'undone' }, {}] });
    expect(world(sandbox)).toMatchObject({ charged: [2500], refunded: [2500], net: 0 });
    expect(posts(rig, '/v1/refunds') - before).toBeLessThanOrEqual(mostPosts[point]);
  });
});
