/* What is found among the provider's objects is adopted, so nothing else may be taken for it, and an effect outweighs all. */
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/activities/answer.js';
import { chargeOperation } from '../../src/activities/charge.js';
import { refundOperation } from '../../src/activities/refund.js';
import { createStripe } from '../../src/activities/stripe-client.js';
import { lookByListing } from '../../src/activities/stripe-look.js';
import { json, type Provider, startProvider } from './scripted-provider.js';

type Item = 'succeeded' | 'declined' | 'processing' | 'other';

async function* listed<Listed>(...items: Listed[]): AsyncIterable<Listed> {
  for (const item of items) yield await Promise.resolve(item);
}

function read(item: Item, replayed: boolean): Answer<string> {
  const error = { type: 'test', message: item };
  if (item === 'succeeded') return { kind: 'succeeded', result: item, reference: item, replayed };
  return item === 'declined' ? { kind: 'declined', error, replayed } : { kind: 'not_final', error, reference: item };
}

const look = (...items: Item[]) => lookByListing(listed(...items), (item) => item !== 'other', read);

describe('of several objects under one key', () => {
  it.each<[string, Item[], string]>([
    ['none', [], 'absent'],
    ['none of ours', ['other', 'other'], 'absent'],
    ['a declined one', ['other', 'declined', 'other'], 'declined'],
    ['the effect, whatever was declined before', ['declined', 'succeeded'], 'succeeded'],
    ['the effect, whatever was declined after', ['succeeded', 'declined'], 'succeeded'],
    ['the effect, whatever is not final', ['processing', 'succeeded', 'processing'], 'succeeded'],
    ['what may become an effect', ['processing', 'declined'], 'not_final'],
  ])('counts %s', async (_, items, kind) => {
    expect(await look(...items)).toMatchObject({ kind });
  });

  it('counts the newest of its kind: lists are newest first', async () => {
    const found = await lookByListing(
      listed('new', 'old'),
      () => true,
      (reference, replayed) => ({
        ...{ kind: 'succeeded', result: reference, reference, replayed },
      }),
    );
    expect(found).toEqual({ kind: 'succeeded', result: 'new', reference: 'new', replayed: true });
  });

  it('gives up on a list that is too long, and calls nothing absent', async () => {
    const others = Array.from({ length: 20_000 }, (): Item => 'other');
    expect(await look(...others)).toMatchObject({ kind: 'absent' });
    expect(await look(...others, 'other')).toMatchObject({ kind: 'ambiguous', error: { message: /20000 objects/ } });
  });
});

const key = 'ap1_0_do_a007c5a6e82d080dc1439d8a0268d061e8756d36f27c8e1acba19d0efb23a02f';
const day = { gte: 1_800_000_000, lte: 1_800_086_400 };
const deps = ({ url }: Provider) => ({
  stripe: createStripe({ secretKey: 'sk_test_look', apiBase: url }),
  ...{ account: 'acct_1', requestTimeout: 20_000, claim: { key, workflowId: 'order-1042', stepIndex: 0 } },
});
const list = (...data: object[]) => startProvider(json(200, { object: 'list', data, has_more: false, url: '/' }));

describe('a charge is found', () => {
  const intent = {
    ...{ object: 'payment_intent', id: 'pi_1', livemode: false, status: 'succeeded' },
    ...{ amount: 2500, currency: 'usd', metadata: { plan_key: key } },
  };
  const find = async (found: object) => {
    const provider = await list(found);
    const args = { amount: 2500, currency: 'usd', payment_method: 'pm_card_visa' };
    const operation = chargeOperation(deps(provider), args);
    const finding = await operation.look?.(operation.request, key, day);
    const query = 'created[gte]=1800000000&created[lte]=1800086400&limit=100';
    expect(provider.requests.map(({ line }) => decodeURI(line))).toEqual([`GET /v1/payment_intents?${query}`]);
    return finding;
  };

  it('by its key, amount and currency', async () => {
    expect(await find(intent)).toMatchObject({ kind: 'succeeded', reference: 'pi_1', replayed: true });
  });

  it.each([
    ['another key', { metadata: { plan_key: `${key}0` } }],
    ['no key', { metadata: {} }],
    ['another amount', { amount: 2501 }],
    ['another currency', { currency: 'eur' }],
  ])('not in one with %s', async (_, change) => {
    expect(await find({ ...intent, ...change })).toEqual({ kind: 'absent' });
  });
});

describe('a refund is found', () => {
  const refund = {
    ...{ object: 'refund', id: 're_1', payment_intent: 'pi_1', status: 'succeeded' },
    ...{ amount: 500, currency: 'usd', metadata: { plan_key: key } },
  };
  const find = async (found: object, amount?: number) => {
    const provider = await list(found);
    const args = { paymentIntent: 'pi_1', ...(amount === undefined ? {} : { amount }) };
    const operation = refundOperation(deps(provider), args);
    const finding = await operation.look?.(operation.request, key, day);
    const query = 'payment_intent=pi_1&created[gte]=1800000000&created[lte]=1800086400&limit=100';
    expect(provider.requests.map(({ line }) => decodeURI(line))).toEqual([`GET /v1/refunds?${query}`]);
    return finding;
  };

  it('by its key and amount; by its key alone where the amount was left to Stripe', async () => {
    expect(await find(refund, 500)).toMatchObject({ kind: 'succeeded', reference: 're_1', replayed: true });
    expect(await find(refund)).toMatchObject({ kind: 'succeeded', reference: 're_1', replayed: true });
  });

  it.each([
    ['another key', { metadata: { plan_key: 'ap1_1_do_x' } }, 500],
    ['another key, of whatever amount', { metadata: { plan_key: 'ap1_1_do_x' } }, undefined],
    ['no metadata', { metadata: null }, undefined],
    ['another amount', { amount: 501 }, 500],
  ])('not in one with %s', async (_, change, amount) => {
    expect(await find({ ...refund, ...change }, amount)).toEqual({ kind: 'absent' });
  });
});
