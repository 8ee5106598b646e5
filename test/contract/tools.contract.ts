import { describe, expect, inject, test } from 'vitest';
import { chargeOperation } from '../../src/activities/charge.js';
import { readCharge } from '../../src/activities/lookup-charge.js';
import type { Operation } from '../../src/activities/once.js';
import { refundOperation, undoOperation } from '../../src/activities/refund.js';
import { createStripe } from '../../src/activities/stripe-client.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { sandboxForTest } from '../sandbox/rig.js';

const mock = inject('stripeMock');

const created = { gte: 1_700_000_000, lte: 1_700_000_100 };

function depsFor(sandbox: Sandbox) {
  return {
    stripe: createStripe({ secretKey: 'sk_test_123', apiBase: new URL(sandbox.stripeUrl) }),
    account: 'acct_1',
    requestTimeout: 10_000,
    claim: { key: 'ap1_0_do_x', workflowId: 'order-1042', stepIndex: 0 },
  };
}

/** Everything that an operation may send: the write, the look for it, and the read that follows it. */
async function exhaust<Request, Result>(operation: Operation<Request, Result>, reference: string): Promise<void> {
  await operation.ask(operation.request, 'ap1_0_do_x');
  await operation.follow?.(reference, operation.request);
  await operation.look?.(operation.request, 'ap1_0_do_x', created);
}

// The sandbox's gateway, with stripe-mock as the real Stripe behind it: its log has every request and what became of it.
describe.skipIf(!mock)('what the tools send', () => {
  const cases = {
    'the least of a charge': { amount: 50, currency: 'usd', payment_method: 'pm_card_visa' },
    'all of a charge': {
      ...{ amount: 99_999_999, currency: 'jpy', payment_method: 'pm_card_visa', description: 'Ünïcode & co.' },
      metadata: { order: '1', constructor: 'x', 'a b&c=d': '%' },
    },
  };

  test.each(Object.entries(cases))('%s', async (_, args) => {
    const sandbox = await sandboxForTest({ stripeUpstream: mock?.url ?? '' });
    await exhaust(chargeOperation(depsFor(sandbox), args), 'pi_1');
    expect(sandbox.effects().requests.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['POST', '/v1/payment_intents', 200],
      ['GET', '/v1/payment_intents/pi_1', 200],
      ['GET', '/v1/payment_intents', 200],
    ]);
  });

  test('refunds of a part and of the rest, and an undo', async () => {
    const sandbox = await sandboxForTest({ stripeUpstream: mock?.url ?? '' });
    const deps = depsFor(sandbox);
    await exhaust(refundOperation(deps, { paymentIntent: 'pi_1', amount: 100, reason: 'duplicate' }), 're_1');
    await exhaust(refundOperation(deps, { paymentIntent: 'pi_1' }), 're_1');
    await exhaust(undoOperation(deps, 'pi_1'), 're_1');
    const sent = sandbox.effects().requests;
    expect(sent).toHaveLength(9);
    expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test('a look at a charge, and the account at the start of the worker', async () => {
    const sandbox = await sandboxForTest({ stripeUpstream: mock?.url ?? '' });
    const { stripe } = depsFor(sandbox);
    await readCharge(stripe, 'pi_1', 10_000);
    await stripe.accounts.retrieveCurrent();
    expect(sandbox.effects().requests.map(({ path, status }) => [path, status])).toEqual([
      ['/v1/payment_intents/pi_1', 200],
      ['/v1/account', 200],
    ]);
  });

  test('a request that Stripe does not know would be noticed', async () => {
    const sandbox = await sandboxForTest({ stripeUpstream: mock?.url ?? '' });
    const { stripe } = depsFor(sandbox);
    const misspelt = { amount: 100, currency: 'usd', payment_metod: 'pm_card_visa' };
    await expect(stripe.paymentIntents.create(misspelt)).rejects.toMatchObject({ statusCode: 400 });
  });
});
