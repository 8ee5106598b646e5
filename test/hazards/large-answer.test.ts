/*
 * Answers of 3 MB, more than a Temporal payload may have: what leaves an activity is made of the few fields that the agent
 * needs, and a payload that is too big would be tried again for ever.
 */
import { describe, expect, test } from 'vitest';
import type { UpstreamAnswer } from '../../src/sandbox/upstream/forward.js';
import { charge, declined, email } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { report as reportOf } from '../rig/server-calls.js';
import { withStage } from './stage.js';
import { layWire } from './wire.js';

const large = 'x'.repeat(3_000_000);
/** A plan of two steps has a history of a few kB. */
const smallHistory = 30_000;
const smallRecords = 5_000;

const json = (change: (body: Record<string, unknown>) => object) => (answer: UpstreamAnswer) => ({
  ...answer,
  body: JSON.stringify(change(JSON.parse(answer.body) as Record<string, unknown>)),
});
const padded = (answer: UpstreamAnswer) => ({ ...answer, body: answer.body + ' '.repeat(large.length) });

const message = (body: Record<string, unknown>) => ({ error: { ...(body['error'] as object), message: large } });
const noSuchCard = { ...charge(), args: { ...charge().args, payment_method: 'pm_no_such_card' } };

const successes: [string, (answer: UpstreamAnswer) => UpstreamAnswer][] = [
  ['blanks at its end', padded],
  ['a long description', json((body) => ({ ...body, description: large }))],
  ['long metadata', json((body) => ({ ...body, metadata: { note: large } }))],
];
const failures: [string, object, string][] = [
  ['a decline', declined(), 'card_error'],
  ['a refusal', noSuchCard, 'invalid_request_error'],
];

async function run(
  context: Parameters<typeof withStage>[0],
  step: object,
  change: (answer: UpstreamAnswer) => UpstreamAnswer,
) {
  const stage = await withStage(context);
  const onTheWay = { answer: (_: string, answer: UpstreamAnswer) => change(answer) };
  const stripe = await layWire(stage.sandbox.stripeUrl, onTheWay);
  const mail = await layWire(stage.sandbox.mailUrl, {
    answer: (_, answer) => json((body) => ({ ...body, large }))(answer),
  });
  await stage.startWorker({ stripeUrl: stripe.url, mailUrl: mail.url });
  const handle = await stage.start({ steps: [step, email()] });
  await handle.result().catch(() => undefined);
  const { historySize = Infinity } = await handle.describe();
  const records = await stage.ledger.receipts({ namespace: 'default', workflowId: handle.workflowId });
  expect(historySize).toBeLessThan(smallHistory);
  expect(JSON.stringify(records).length).toBeLessThan(smallRecords);
  const report = await reportOf(handle);
  await stripe.close();
  await mail.close();
  return { report, seen: world(stage.sandbox) };
}

describe('an answer of 3 MB', () => {
  test.for(successes)('%s: the plan completes, and its history is small', async ([, change], context) => {
    const { report, seen } = await run(context, charge(), change);
    expect(report.status).toBe('completed');
    expect(seen).toMatchObject({ charged: [2500], emails: 1, posts: ['/v1/payment_intents', '/emails'] });
  });

  test.for(failures)(
    '%s with a long message: the step fails at once, with the start of it',
    async ([, step, type], context) => {
      const { report, seen } = await run(context, step, json(message));
      expect(report.steps[0]).toMatchObject({ status: 'failed', attempts: 1, error: { type } });
      expect(report.steps[0]?.error?.message).toMatch(/^x{100,400}$/);
      expect(seen).toMatchObject({ charged: [], emails: 0, posts: ['/v1/payment_intents'] });
    },
  );
});
