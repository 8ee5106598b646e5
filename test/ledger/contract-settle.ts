import { describe, expect, it } from 'vitest';
import { type ActionRecord, ambiguousAsks, isSettled } from '../../src/ledger/action-record.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { claimOf, failed, mayBegin, plan, planFingerprint, succeeded, unknown } from './claims.js';
import type { Store } from './contract.js';

const { key } = claimOf();

export function settleContract(createStore: () => Promise<Store>): void {
  const openWithClaim = async (store: Store, now: () => number = Date.now): Promise<Ledger> => {
    const ledger = await store.open(now);
    await ledger.openPlan(plan, planFingerprint);
    await ledger.claim(claimOf(), mayBegin);
    return ledger;
  };
  const open = async (now?: () => number): Promise<Ledger> => openWithClaim(await createStore(), now);

  describe('an answer', () => {
    it('settles the record, and is given again from it', async () => {
      let now = 1_000;
      const ledger = await open(() => now);
      now = 2_000;
      const settled = await ledger.settle(key, succeeded('pi_7'));
      expect(settled).toMatchObject({
        state: 'succeeded',
        result: '{"id":"pi_7"}',
        reference: 'pi_7',
        settled_at: 2_000,
      });
      expect(isSettled(settled)).toBe(true);
      now = 3_000;
      const again = await ledger.claim(claimOf(), mayBegin);
      expect(again).toEqual({ ...settled, replays: 1 });
    });

    it('that the provider gave from its own record counts as a replay', async () => {
      const ledger = await open();
      expect(await ledger.settle(key, succeeded('pi_7', true))).toMatchObject({ replays: 1 });
      expect(await ledger.settle(key, succeeded('pi_7', true))).toMatchObject({ replays: 1 });
    });

    it.each([
      ['a success', succeeded('pi_1')],
      ['a failure', failed('card_declined')],
    ])('that is %s is never replaced', async (_, first) => {
      const ledger = await open();
      const settled = await ledger.settle(key, first);
      for (const late of [succeeded('pi_2'), failed('expired_card'), unknown()]) {
        expect(await ledger.settle(key, late)).toEqual(settled);
      }
      await ledger.deny(key);
      expect(await ledger.find(key)).toEqual(settled);
    });

    it('of two at once is one, and both get it', async () => {
      const ledger = await open();
      const [first, second] = await Promise.all([
        ledger.settle(key, succeeded('pi_1')),
        ledger.settle(key, failed('card_declined')),
      ]);
      expect(first).toEqual(second);
    });

    it('that rests on what is not so any more settles nothing', async () => {
      const ledger = await open();
      const isOnlyAsk = (record: ActionRecord): boolean => ambiguousAsks(record) === 1;
      await ledger.claim(claimOf(), mayBegin);
      expect(await ledger.settle(key, failed('refused'), isOnlyAsk)).toMatchObject({ state: 'pending', error: null });
      await ledger.deny(key);
      expect(await ledger.settle(key, failed('refused'), isOnlyAsk)).toMatchObject({ state: 'failed' });
    });

    it('without a claim has no record', async () => {
      const ledger = await (await createStore()).open();
      await expect(ledger.settle(key, succeeded())).rejects.toThrow();
      expect(await ledger.find(key)).toBeUndefined();
    });
  });

  describe('an unknown outcome', () => {
    it('is asked for again', async () => {
      const ledger = await open();
      const settled = await ledger.settle(key, unknown('lost'));
      expect(isSettled(settled)).toBe(false);
      expect(await ledger.claim(claimOf(), mayBegin)).toMatchObject({ state: 'pending', asks: 2, replays: 0 });
    });

    it.each([
      ['a late success', succeeded('pi_7'), { state: 'succeeded', reference: 'pi_7', error: null }],
      ['a late failure', failed('card_declined'), { state: 'failed', error: '{"code":"card_declined"}' }],
    ])('gives way to %s', async (_, late, record) => {
      const ledger = await open();
      await ledger.settle(key, unknown());
      expect(await ledger.settle(key, late)).toMatchObject(record);
    });

    it('is not replaced by another one', async () => {
      const ledger = await open();
      const settled = await ledger.settle(key, unknown('first'));
      expect(await ledger.settle(key, unknown('second'))).toEqual(settled);
    });
  });

  describe('a half-written record is no answer', () => {
    it.each([
      ['succeeded without its result', `state = 'succeeded', result = NULL, reference = 'pi_7'`],
      ['failed without its error', `state = 'failed', error = NULL`],
    ])('%s: the same key is asked again', async (_, assignments) => {
      const store = await createStore();
      const ledger = await openWithClaim(store);
      await store.execute(`UPDATE actions SET ${assignments} WHERE key = '${key}'`);
      const record = await ledger.claim(claimOf(), mayBegin);
      expect(record).toMatchObject({ state: 'pending', asks: 2, request: '{"amount":2500}' });
      expect(await ledger.settle(key, succeeded('pi_7'))).toMatchObject({ state: 'succeeded', reference: 'pi_7' });
    });
  });

  describe('the asks that may have acted', () => {
    it('are those not denied', async () => {
      const ledger = await open();
      await ledger.deny(key);
      expect(ambiguousAsks((await ledger.find(key)) ?? { asks: 0, denials: 0 })).toBe(0);
      const second = await ledger.claim(claimOf(), mayBegin);
      expect(ambiguousAsks(second)).toBe(1);
      const third = await ledger.claim(claimOf(), mayBegin);
      expect(ambiguousAsks(third)).toBe(2);
      await ledger.deny(key);
      expect(await ledger.find(key)).toMatchObject({ asks: 3, denials: 2, state: 'pending' });
    });

    it('begin with the first that was not denied', async () => {
      let now = 9_000;
      const ledger = await open(() => now);
      await ledger.deny(key);
      now = 5_000;
      const times = { first_asked_at: 5_000, last_asked_at: 5_000 };
      expect(await ledger.claim(claimOf(), mayBegin)).toMatchObject({ asks: 2, ...times });
      now = 6_000;
      expect(await ledger.claim(claimOf(), mayBegin)).toMatchObject({ ...times, last_asked_at: 6_000 });
    });

    it('are denied also while the outcome is unknown', async () => {
      const ledger = await open();
      await ledger.settle(key, unknown());
      await ledger.deny(key);
      expect(await ledger.find(key)).toMatchObject({ asks: 1, denials: 1, state: 'unknown' });
    });
  });

  it('an effect that is not final yet is known by its reference', async () => {
    const store = await createStore();
    const ledger = await openWithClaim(store);
    await ledger.accept(key, 'pi_7');
    await ledger.close();
    const reopened = await store.open();
    expect(await reopened.claim(claimOf(), mayBegin)).toMatchObject({ reference: 'pi_7', state: 'pending' });
  });
}
