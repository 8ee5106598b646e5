/*
 * A plan is cancelled or terminated at each step: before the step's request, while the request is on its way, and when it
 * is committed and its answer on the way. Then the same plan is started again. A terminated run leaves its attempt
 * behind: its request may arrive when the new run has done everything.
 */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.js';
import { idempotencyKey } from '../../src/plan/idempotency-key.js';
import { patience } from '../limits.js';
import { charge, email, refund } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { startStage } from './stage.js';
import { createHold, type Hold, layWire, type OnTheWay, type Wire } from './wire.js';

const plan = { steps: [charge(), refund(0, 1000), email()] };
const paths = ['/v1/payment_intents', '/v1/refunds', '/emails'];

/** The first that comes to this point of this step is held, all others pass. */
let held: { step: number; moment: Moment; hold: Hold; used: boolean };
type Moment = 'before' | 'in flight' | 'after';

async function point(step: number, moment: Moment): Promise<void> {
  if (held.used || held.step !== step || held.moment !== moment) return;
  held.used = true;
  await held.hold.pass();
}

const holdClaims = (ledger: Ledger): Ledger => {
  const claim: Ledger['claim'] = async (wanted, mayBegin) => {
    await point(wanted.stepIndex, 'before');
    return ledger.claim(wanted, mayBegin);
  };
  return new Proxy(ledger, {
    get: (target, name) => (name === 'claim' ? claim : (Reflect.get(target, name) as unknown)),
  });
};

const onTheWay: OnTheWay = {
  request: (path) => point(paths.indexOf(path), 'in flight'),
  async answer(path, answer) {
    await point(paths.indexOf(path), 'after');
    return answer;
  },
};

/** Every attempt's last words, also of those that nobody waits for any more. */
const ended: { workflowId: string; step: number }[] = [];
const log = pino({ level: 'info' }, { write: (line) => void ended.push(JSON.parse(line) as (typeof ended)[number]) });

let stage: Awaited<ReturnType<typeof startStage>>;
let wires: Wire[];

beforeAll(async () => {
  stage = await startStage();
  wires = [await layWire(stage.sandbox.stripeUrl, onTheWay), await layWire(stage.sandbox.mailUrl, onTheWay)];
  const [stripeUrl = '', mailUrl = ''] = wires.map(({ url }) => url);
  await stage.startWorker({ stripeUrl, mailUrl, change: ({ ledger }) => ({ ledger: holdClaims(ledger), log }) });
});
afterAll(async () => {
  await stage.close();
  for (const wire of wires) await wire.close();
});
beforeEach(() => stage.sandbox.reset());

const effects = (): number[] => {
  const { charged, refunded, emails } = world(stage.sandbox);
  return [charged.length, refunded.length, emails];
};

const cases = paths.flatMap((path, step) =>
  (['before', 'in flight', 'after'] as const).flatMap((moment) =>
    (['cancel', 'terminate'] as const).map((how) => ({ step, moment, how, path })),
  ),
);

/** The plan's steps that have happened when it is cut off. */
const doneBy = (step: number, moment: Moment): number[] =>
  paths.map((_, index) => (index < step || (index === step && moment === 'after') ? 1 : 0));

describe('a plan is cut off, and started again: each step has one effect', () => {
  test.for(cases)('$how, $moment $path', async ({ step, moment, how }) => {
    const hold = createHold();
    held = { step, moment, hold, used: false };
    const workflowId = stage.newId();
    const handle = await stage.start(plan, { workflowId });
    await hold.reached;
    expect(effects()).toEqual(doneBy(step, moment));

    await handle[how]();
    // A cancelled run waits for its attempt, so that the outcome is known. A terminated one is gone at once.
    if (how === 'cancel') hold.open();
    const end = handle.result();
    // Cancelled at its last step, the plan has done all there was to do.
    if (how === 'cancel' && step === 2) expect(await end).toMatchObject({ status: 'completed' });
    else await expect(end).rejects.toThrow(how === 'cancel' ? /cancelled/ : /terminated/);
    if (how === 'cancel') expect(effects()).toEqual(doneBy(step, 'after'));

    const again = await stage.start(plan, { workflowId });
    expect(await again.result()).toMatchObject({ status: 'completed' });
    expect(world(stage.sandbox)).toMatchObject({ charged: [2500], refunded: [1000], emails: 1 });

    // What the terminated run left behind ends only now.
    hold.open();
    const attempts = () => ended.filter((attempt) => attempt.workflowId === workflowId && attempt.step === step);
    await vi.waitFor(() => expect(attempts()).toHaveLength(2), patience);
    expect(effects()).toEqual([1, 1, 1]);
    const keys = paths.map((_, stepIndex) =>
      idempotencyKey({ namespace: 'default', workflowId, stepIndex, purpose: 'do' }),
    );
    expect(new Set(stage.sandbox.effects().requests.map(({ key }) => key))).toEqual(new Set(keys));
  });
});
