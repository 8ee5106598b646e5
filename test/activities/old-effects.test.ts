/*
 * A key that the provider has forgotten protects nothing: the same request would act again. So for a record older than
 * 23 h the effect is looked for first.
 */
import { describe, expect, test } from 'vitest';
import type { StepOf } from '../../src/plan/plan-schema.js';
import { withActivityRig } from '../rig/activity-rig.js';
import { world } from '../rig/world.js';

const hour = 3_600_000;
const chargeStep: StepOf<'charge'> = {
  tool: 'charge',
  args: { amount: 5000, currency: 'usd', payment_method: 'pm_card_visa' },
};
const refundStep: StepOf<'refund'> = { tool: 'refund', args: { charge: 0, amount: 3000 } };
const emailStep: StepOf<'email'> = { tool: 'email', args: { to: 'ada@example.com', subject: 'Hi', text: 'Hello' } };

const lookups = (requests: { method: string; path: string }[]): string[] =>
  requests.filter(({ method }) => method === 'GET').map(({ path }) => path);

describe('after a day, when keys are pruned,', () => {
  test('a charge whose answer was lost is found and adopted', async (context) => {
    const rig = await withActivityRig(context);
    const input = rig.input(chargeStep, chargeStep.args);
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop' });
    await expect(rig.attempt('charge', input)).rejects.toThrow();
    rig.advance(25 * hour);

    const { result, receipt } = await rig.attempt('charge', input);

    expect(world(rig.sandbox)).toMatchObject({ charged: [5000], posts: ['/v1/payment_intents'] });
    expect(result.id).toBe(rig.sandbox.effects().charges[0]?.id);
    expect(receipt.answeredBy).toBe('provider-replay');
  });

  test('a charge that never arrived is looked for, and then made', async (context) => {
    const rig = await withActivityRig(context);
    const input = rig.input(chargeStep, chargeStep.args);
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: '502-before' });
    await expect(rig.attempt('charge', input)).rejects.toThrow();
    rig.advance(25 * hour);

    await rig.attempt('charge', input);

    expect(lookups(rig.sandbox.effects().requests)).toEqual(['/v1/payment_intents']);
    expect(world(rig.sandbox).charged).toEqual([5000]);
  });

  test('a charge that was declined unheard is found as declined', async (context) => {
    const rig = await withActivityRig(context);
    const args = { ...chargeStep.args, payment_method: 'pm_card_visa_chargeDeclined' };
    const input = rig.input({ ...chargeStep, args }, args);
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop' });
    await expect(rig.attempt('charge', input)).rejects.toThrow();
    rig.advance(25 * hour);

    await expect(rig.attempt('charge', input)).rejects.toMatchObject({ type: 'StepFailed' });
    expect(world(rig.sandbox)).toMatchObject({ charged: [], posts: ['/v1/payment_intents'] });
  });

  test('the look goes through all pages, and is not misled by the same amount under another key', async (context) => {
    const rig = await withActivityRig(context);
    const input = rig.input(chargeStep, chargeStep.args);
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop' });
    await expect(rig.attempt('charge', input)).rejects.toThrow();
    const [ours] = rig.sandbox.effects().charges;
    for (let index = 1; index <= 120; index++) {
      await rig.attempt('charge', rig.input(chargeStep, chargeStep.args, { index }));
    }
    rig.advance(25 * hour);

    expect((await rig.attempt('charge', input)).result.id).toBe(ours?.id);
    expect(rig.sandbox.effects().charges).toHaveLength(121);
    expect(lookups(rig.sandbox.effects().requests)).toHaveLength(2);
  });

  test('a look that gets no answer decides nothing', async (context) => {
    const rig = await withActivityRig(context);
    const input = rig.input(chargeStep, chargeStep.args);
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop' });
    await expect(rig.attempt('charge', input)).rejects.toThrow();
    rig.advance(25 * hour);
    rig.sandbox.addFault({ service: 'stripe', match: 'GET /v1/payment_intents', fault: 'drop' });

    await expect(rig.attempt('charge', input)).rejects.toMatchObject({ type: 'no_answer', nonRetryable: false });
    // The lease of this attempt is given back: the next one need not wait.
    await rig.attempt('charge', input);
    expect(world(rig.sandbox).charged).toEqual([5000]);
  });

  test('an e-mail cannot be looked for: its outcome stays unknown, and it is not sent again', async (context) => {
    const rig = await withActivityRig(context);
    const input = rig.input(emailStep, emailStep.args);
    rig.sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'drop' });
    await expect(rig.attempt('email', input)).rejects.toThrow();
    rig.advance(25 * hour);

    await expect(rig.attempt('email', input)).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    expect(world(rig.sandbox)).toMatchObject({ emails: 1, posts: ['/emails'] });
  });

  test('a refund is found although the ledger was lost since', async (context) => {
    const rig = await withActivityRig(context);
    const { result } = await rig.attempt('charge', rig.input(chargeStep, chargeStep.args));
    const input = rig.input(refundStep, { amount: 3000, paymentIntent: result.id }, { index: 1 });
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault: 'drop' });
    await expect(rig.attempt('refund', input)).rejects.toThrow();
    rig.advance(25 * hour);
    await rig.loseLedger();

    const { result: found } = await rig.attempt('refund', input);

    expect(world(rig.sandbox).refunded).toEqual([3000]);
    expect(found.id).toBe(rig.sandbox.effects().refunds[0]?.id);
  });

  test('a clock that jumped back counts as old', async (context) => {
    const rig = await withActivityRig(context);
    const input = rig.input(chargeStep, chargeStep.args);
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop' });
    await expect(rig.attempt('charge', input)).rejects.toThrow();
    rig.advance(-2 * hour);
    await rig.attempt('charge', input);
    expect(world(rig.sandbox)).toMatchObject({ charged: [5000], posts: ['/v1/payment_intents'] });
    expect(lookups(rig.sandbox.effects().requests)).toEqual(['/v1/payment_intents']);
  });
});

describe('within the day', () => {
  test('a refusal that an earlier, unheard success may have caused is not believed', async (context) => {
    const rig = await withActivityRig(context);
    const { result } = await rig.attempt('charge', rig.input(chargeStep, chargeStep.args));
    rig.sandbox.updateSettings({ ignoreKeys: true }); // as if the key had been lost at the provider
    const input = rig.input(refundStep, { amount: 3000, paymentIntent: result.id }, { index: 1 });
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault: 'drop' });
    await expect(rig.attempt('refund', input)).rejects.toThrow();

    // The second request is refused: only 2000 are left. The first one's refund is found.
    const again = await rig.attempt('refund', input);

    expect(world(rig.sandbox).refunded).toEqual([3000]);
    expect(again.result.id).toBe(rig.sandbox.effects().refunds[0]?.id);
  });

  test('another Stripe account is refused: its keys are other keys', async (context) => {
    const rig = await withActivityRig(context);
    const input = rig.input(chargeStep, chargeStep.args);
    rig.sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop' });
    await expect(rig.attempt('charge', input)).rejects.toThrow();
    const other = await withActivityRig(context, { ledger: rig.ledger, stripeAccount: 'acct_other' });
    await expect(other.attempt('charge', input)).rejects.toMatchObject({ name: 'AccountChanged' });
    expect(world(other.sandbox).posts).toEqual([]);
  });
});
