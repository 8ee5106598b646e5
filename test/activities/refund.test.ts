import { describe, expect, it } from 'vitest';
import { readCharge } from '../../src/activities/lookup-charge.js';
import { refundOperation, undoOperation } from '../../src/activities/refund.js';
import { createStripe } from '../../src/activities/stripe-client.js';
import { json, type Script, startProvider } from './scripted-provider.js';

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

const claim = { key: 'ap1_1_do_x', workflowId: 'order-1042', stepIndex: 1 };

async function withRefunds(script: Script) {
  const provider = await startProvider(script);
  const stripe = createStripe({ secretKey: 'sk_test_refund', apiBase: provider.url });
  return { provider, deps: { stripe, account: 'acct_1', requestTimeout, claim } };
}

async function refundAnswered(body: object) {
  const { deps } = await withRefunds(json(200, body));
  const operation = refundOperation(deps, { paymentIntent: 'pi_1' });
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
    expect(await refundAnswered({ ...refund, status: 'canceled' })).toMatchObject({ error: { code: 'canceled' } });
    const failed = { ...refund, status: 'failed', failure_reason: 'lost_or_stolen_card' };
    expect(await refundAnswered(failed)).toMatchObject({
      error: { type: 'refund', code: 'lost_or_stolen_card', message: 'Refund re_1 is failed' },
    });
  });

  it.each([
    ['all of it, for no reason', {}, {}],
    ['a part', { amount: 500 }, { amount: '500' }],
    ['for a reason', { reason: 'duplicate' as const }, { reason: 'duplicate' }],
  ])('asks for %s', async (_, args, params) => {
    const { provider, deps } = await withRefunds(json(200, refund));
    const operation = refundOperation(deps, { paymentIntent: 'pi_1', ...args });
    await operation.ask(operation.request, claim.key);
    const [request] = provider.requests;
    expect(request).toMatchObject({ line: 'POST /v1/refunds', headers: { 'idempotency-key': claim.key } });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      ...{ payment_intent: 'pi_1', ...params, 'metadata[plan_key]': claim.key },
      ...{ 'metadata[plan_workflow]': 'order-1042', 'metadata[plan_step]': '1' },
    });
  });

  it('that is pending is followed', async () => {
    const { provider, deps } = await withRefunds(json(200, refund));
    const operation = refundOperation(deps, { paymentIntent: 'pi_1' });
    expect(await operation.follow?.('re_1', operation.request)).toMatchObject({ kind: 'succeeded', reference: 're_1' });
    expect(provider.requests.map(({ line }) => line)).toEqual(['GET /v1/refunds/re_1']);
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

describe('an undo', () => {
  const refused = (code: string) => json(400, { error: { type: 'invalid_request_error', code, message: 'No.' } });
  const undone = async (script: Script) => {
    const { deps } = await withRefunds(script);
    const operation = undoOperation(deps, 'pi_1');
    return operation.ask(operation.request, claim.key);
  };

  it('gives back what is left; where nothing is, it has nothing to do', async () => {
    expect(await undone(json(200, refund))).toMatchObject({ kind: 'succeeded', result: { amount: 500 } });
    expect(await undone(refused('charge_already_refunded'))).toMatchObject({
      kind: 'succeeded',
      reference: 'pi_1',
      result: { amount: 0, charge: 'pi_1' },
    });
  });

  it('that is refused for another reason has failed', async () => {
    expect(await undone(refused('charge_disputed'))).toMatchObject({
      ...{ kind: 'refused', error: { code: 'charge_disputed' } },
    });
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
