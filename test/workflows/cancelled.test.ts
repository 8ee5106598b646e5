import { WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { describe, expect, test, vi } from 'vitest';
import type { Report } from '../../src/plan/report.js';
import { patience } from '../limits.js';
import { untilReleased } from '../rig/held-delays.js';
import { charge, email } from '../rig/plans.js';
import { unhurried } from '../rig/policies.js';
import { untilCancelHeard } from '../rig/server-calls.js';
import { withRig } from '../rig/with-rig.js';
import { world } from '../rig/world.js';

describe.concurrent('a cancelled plan', () => {
  test('lets the charge on its way bring its answer home, then gives it back', async (context) => {
    const rig = await withRig(context);
    rig.sandbox.addFault({
      service: 'stripe',
      match: 'POST /v1/payment_intents',
      fault: 'late',
      delayMs: untilReleased,
    });
    const handle = await rig.start({ onFailure: 'undo', steps: [charge(), email()] }, { policy: unhurried });
    await vi.waitUntil(() => rig.sandbox.effects().charges.length === 1, patience);
    await handle.cancel();
    await untilCancelHeard(handle);
    await rig.release();
    await expect(handle.result()).rejects.toSatisfy(
      (error) => error instanceof WorkflowFailedError && error.cause instanceof CancelledFailure,
    );
    expect(await handle.query<Report>('report')).toMatchObject({
      status: 'undone',
      steps: [{ status: 'undone' }, { status: 'skipped' }],
    });
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500], refunded: [2500], emails: 0 });
  });

  test('that stops knows what its charge on the way came to', async (context) => {
    const rig = await withRig(context);
    rig.sandbox.addFault({
      service: 'stripe',
      match: 'POST /v1/payment_intents',
      fault: 'late',
      delayMs: untilReleased,
    });
    const handle = await rig.start({ steps: [charge(), email()] }, { policy: unhurried });
    await vi.waitUntil(() => rig.sandbox.effects().charges.length === 1, patience);
    await handle.cancel();
    await untilCancelHeard(handle);
    await rig.release();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    const report = await handle.query<Report>('report');
    expect(report).toMatchObject({ status: 'cancelled', steps: [{ status: 'succeeded' }, { status: 'skipped' }] });
    expect(world(rig.sandbox)).toMatchObject({ charged: [2500], emails: 0 });
  });
});
