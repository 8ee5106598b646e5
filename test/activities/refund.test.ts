import { describe, expect, it } from 'vitest';
import { readCharge } from '../../src/activities/lookup-charge.js';
import { refundOperation } from '../../src/activities/refund.js';
import { createStripe } from '../../src/activities/stripe-client.js';
import { json, startProvider } from './scripted-provider.js';

const requestTimeout = 20_000;
const refund = {
  object: 'refund',
  id: 're_1',
  payment_intent: 'pi_1',
  amount: 500,
  currency: 'usd',
  status: 'succeeded',
};
const intent = {
  object: 'payment_intent',
  id: 'pi_1',
  livemode: false,
  amount: 2500,
  currency: 'usd',
  status: 'succeeded',
  latest_charge: { amount_refunded: 500 },
};

async function refundAnswered(body: object) {
  const { url } = await startProvider(json(200, body));
  const stripe = createStripe({ secretKey: 'sk_test_refund', apiBase: url });
  const claim = { key: 'ap1_1_do_x', workflowId: 'order-1042', stepIndex: 1 };
  const operation = refundOperation({ stripe, account: 'acct_1', requestTimeout, claim }, { paymentIntent: 'pi_1' });
  return operation.ask(operation.request, claim.key);
}

async function lookedUp(body: object) {
  const { url } = await startProvider(json(200, body));
  return readCharge(createStripe({ secretKey: 'sk_test_look', apiBase: url }), 'pi_1', requestTimeout);
}

describe('a refund', () => {
  it('that succeeded is a result; one that is pending is not final; one that failed did not happen', async () => {
    expect(await refundAnswered(refund)).toMatchObject({
      kind: 'succeeded',
      reference: 're_1',
      result: { id: 're_1', amount: 500, amount_formatted: '$5.00', charge: 'pi_1' },
    });
    expect(await refundAnswered({ ...refund, status: 'pending' })).toMatchObject({ kind: 'not_final' });
    expect(await refundAnswered({ ...refund, status: 'failed' })).toMatchObject({ kind: 'declined' });
  });

  it.each([
    ['another object', { ...refund, object: 'charge' }],
    ['no id', { ...refund, id: undefined }],
    ['an id with a line break', { ...refund, id: 're_1\nBcc: x' }],
    ['no PaymentIntent', { ...refund, payment_intent: null }],
    ['an amount that is a text', { ...refund, amount: '500' }],
    ['no currency', { ...refund, currency: undefined }],
    ['nothing', {}],
  ])('is not one with %s: nobody knows what happened', async (_, body) => {
    expect(await refundAnswered(body)).toMatchObject({ kind: 'ambiguous' });
  });
});

describe('a look-up', () => {
  it('tells what was charged and given back', async () => {
    expect(await lookedUp(intent)).toMatchObject({
      kind: 'succeeded',
      result: { amount: 2500, amount_formatted: '$25.00', amount_refunded: 500, amount_refunded_formatted: '$5.00' },
    });
    expect(await lookedUp({ ...intent, latest_charge: null })).toMatchObject({ result: { amount_refunded: 0 } });
  });

  it.each([
    ['in live mode', { ...intent, livemode: true }],
    ['without an amount', { ...intent, amount: undefined }],
    ['whose charge was not sent along', { ...intent, latest_charge: 'ch_1' }],
  ])('believes no PaymentIntent %s', async (_, body) => {
    expect(await lookedUp(body)).toMatchObject({ kind: 'ambiguous' });
  });
});
