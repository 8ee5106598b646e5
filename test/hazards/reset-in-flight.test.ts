/*
 * A run is reset while its request is at the provider, not committed yet. The attempt goes on, though nobody waits for it
 * any more, and the new run asks for the same thing beside it.
 */
import { describe, expect, test, vi } from 'vitest';
import type { FaultRule } from '../../src/sandbox/sandbox.js';
import { patience } from '../limits.js';
import { untilReleased } from '../rig/held-delays.js';
import { charge, email, refund } from '../rig/plans.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';
import { reset, resetPoints, runIdOf } from '../rig/server-calls.js';

const plan = { steps: [charge(), refund(0, 1000), email()] };

const requests: [string, FaultRule['service'], string][] = [
  ['the charge', 'stripe', '/v1/payment_intents'],
  ['the refund', 'stripe', '/v1/refunds'],
  ['the e-mail', 'mail', '/emails'],
];

describe('a reset while a request is at work', () => {
  test.for(requests)('%s', async ([, service, path], context) => {
    const rig = await withRig(context);
    const workflowId = rig.newId();
    rig.sandbox.addFault({ service, match: `POST ${path}`, fault: 'slow', delayMs: untilReleased });
    const handle = await rig.start(plan, { workflowId });
    await vi.waitFor(() => expect(world(rig.sandbox).posts).toContain(path), patience);
    const points = await resetPoints(handle);

    const runId = await reset(rig.client, workflowId, await runIdOf(handle), points[0] ?? '');
    // It is asked for beside the first request, and refused by the provider: one that is in flight is nobody's answer.
    const made = () => rig.sandbox.effects().requests.filter((request) => request.path === path);
    await expect.poll(() => made().map(({ answer }) => answer)).toContain('in_flight');
    await rig.release();
    const { report } = await rig.outcome(rig.client.workflow.getHandle(workflowId, runId));

    expect(report).toMatchObject({ status: 'completed', runId });
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500], refunded: [1000], emails: 1 });
    expect(new Set(made().map(({ key }) => key)).size).toBe(1);
    expect(new Set(made().map(({ body }) => body)).size).toBe(1);
  });
});
