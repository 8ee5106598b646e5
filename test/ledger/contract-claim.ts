import { describe, expect, it, vi } from 'vitest';
import { ambiguousAsks } from '../../src/ledger/action-record.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { PlanChanged } from '../../src/ledger/refusals.js';
import { claimOf, mayBegin, plan, planFingerprint, succeeded } from './claims.js';
import type { Store } from './contract.js';

export function claimContract(createStore: () => Promise<Store>): void {
  const openWithPlan = async (now: () => number = Date.now): Promise<Ledger> => {
    const ledger = await (await createStore()).open(now);
    await ledger.openPlan(plan, planFingerprint);
    return ledger;
  };

  describe('a claim', () => {
    it('is written down whole, before anything is asked', async () => {
      const ledger = await openWithPlan(() => 1_700_000_000_123);
      const { key, request } = claimOf();
      const record = await ledger.claim(claimOf(), mayBegin);
      expect({ ...record }).toStrictEqual({
        ...{ key, request, namespace: 'default', workflow_id: 'order-1042', step_index: 0, purpose: 'do' },
        ...{ tool: 'charge', step_fingerprint: 'step-a', account: 'acct_1', state: 'pending' },
        ...{ result: null, error: null, reference: null, asks: 1, denials: 0, replays: 0 },
        ...{ first_asked_at: 1_700_000_000_123, last_asked_at: 1_700_000_000_123, settled_at: null, lease_until: null },
      });
      expect({ ...(await ledger.find(key)) }).toStrictEqual({ ...record });
    });

    it('counts, and keeps the first request, account and time', async () => {
      let now = 1_000;
      const ledger = await openWithPlan(() => now);
      await ledger.claim(claimOf(), mayBegin);
      now = 2_000;
      const deployed = claimOf({ request: '{"amount":2500,"v":2}', account: 'acct_2' });
      expect(await ledger.claim(deployed, mayBegin)).toMatchObject({
        ...{ request: '{"amount":2500}', account: 'acct_1', asks: 2, first_asked_at: 1_000, last_asked_at: 2_000 },
      });
      now = 500;
      expect(await ledger.claim(claimOf(), mayBegin)).toMatchObject({ asks: 3, last_asked_at: 2_000 });
    });

    it('of a step that is recorded under another key is refused: a new recipe for keys begins nothing again', async () => {
      const ledger = await openWithPlan();
      await ledger.claim(claimOf(), mayBegin);
      const otherKey = claimOf({ key: 'ap2_0_do_another' });
      await expect(ledger.claim(otherKey, mayBegin)).rejects.toThrow(PlanChanged);
      expect(await ledger.receipts(plan)).toHaveLength(1);
    });

    it('keeps every character of a request', async () => {
      const ledger = await openWithPlan();
      const request = JSON.stringify({ text: 'Grüße \u2028 注文 😀 e\u0301 "\'\\ %s ; --', nul: '\u0000' });
      await ledger.claim(claimOf({ request }), mayBegin);
      expect((await ledger.find(claimOf().key))?.request).toBe(request);
    });

    it('made twice at once is one record with two asks', async () => {
      const ledger = await openWithPlan();
      const begin = vi.fn();
      const records = await Promise.all([ledger.claim(claimOf(), begin), ledger.claim(claimOf(), begin)]);
      expect(records.map(({ asks }) => asks).sort()).toEqual([1, 2]);
      expect(begin).toHaveBeenCalledTimes(1);
      expect(await ledger.receipts(plan)).toHaveLength(1);
    });

    it('made many times at once loses none', async () => {
      const ledger = await openWithPlan();
      const records = await Promise.all(Array.from({ length: 20 }, () => ledger.claim(claimOf(), mayBegin)));
      expect(new Set(records.map(({ asks }) => asks)).size).toBe(20);
    });

    it('made many times at once loses none, also when the plan is not there any more', async () => {
      const ledger = await (await createStore()).open();
      const records = await Promise.all(Array.from({ length: 20 }, () => ledger.claim(claimOf(), mayBegin)));
      expect(new Set(records.map(({ asks }) => asks)).size).toBe(20);
      expect(await ledger.receipts(plan)).toHaveLength(1);
    });

    it('survives the process that made it', async () => {
      const store = await createStore();
      const first = await store.open();
      await first.openPlan(plan, planFingerprint);
      await first.claim(claimOf(), mayBegin);
      await first.close();
      const second = await store.open();
      await second.openPlan(plan, planFingerprint);
      const record = await second.claim(claimOf(), mayBegin);
      expect(record).toMatchObject({ state: 'pending', asks: 2, request: '{"amount":2500}' });
      expect(ambiguousAsks(record)).toBe(2);
    });

    it('of another step or another plan is refused, and leaves no trace', async () => {
      const ledger = await openWithPlan();
      const before = await ledger.claim(claimOf(), mayBegin);
      const begin = vi.fn();
      await expect(ledger.claim(claimOf({ stepFingerprint: 'step-b' }), begin)).rejects.toThrow(PlanChanged);
      await expect(ledger.claim(claimOf({ planFingerprint: 'plan-b' }), begin)).rejects.toThrow(PlanChanged);
      await expect(ledger.claim(claimOf({ planFingerprint: 'plan-b', stepIndex: 1 }), begin)).rejects.toThrow(
        PlanChanged,
      );
      expect(begin).not.toHaveBeenCalled();
      expect(await ledger.receipts(plan)).toEqual([before]);
    });

    it('of another step is refused although the step is done', async () => {
      const ledger = await openWithPlan();
      await ledger.claim(claimOf(), mayBegin);
      await ledger.settle(claimOf().key, succeeded());
      await expect(ledger.claim(claimOf({ stepFingerprint: 'step-b' }), mayBegin)).rejects.toThrow(PlanChanged);
      expect(await ledger.find(claimOf().key)).toMatchObject({ replays: 0 });
    });

    it('that may not begin leaves no record; one that has begun is not asked any more', async () => {
      const ledger = await openWithPlan();
      const refuse = (): never => {
        throw new Error('refused by the policy');
      };
      await expect(ledger.claim(claimOf(), refuse)).rejects.toThrow('refused by the policy');
      expect(await ledger.find(claimOf().key)).toBeUndefined();
      await ledger.claim(claimOf(), mayBegin);
      expect(await ledger.claim(claimOf(), refuse)).toMatchObject({ asks: 2 });
    });

    it('whose plan is not there any more is neither the first nor the only one', async () => {
      const ledger = await (await createStore()).open(() => 9_000);
      const record = await ledger.claim(claimOf({ workflowStartedAt: 4_000 }), mayBegin);
      expect(record.first_asked_at).toBe(4_000);
      expect(ambiguousAsks(record)).toBeGreaterThan(1);
    });
  });

  describe('the lease', () => {
    it('is held by one at a time, until it ends', async () => {
      let now = 1_000;
      const ledger = await openWithPlan(() => now);
      const { key } = await ledger.claim(claimOf(), mayBegin);
      expect(await ledger.lease(key, 500)).toBe(true);
      now = 1_500;
      expect(await ledger.lease(key, 500)).toBe(false);
      now = 1_501;
      expect(await Promise.all([ledger.lease(key, 500), ledger.lease(key, 500)])).toEqual([true, false]);
      expect(await ledger.lease('no such key', 500)).toBe(false);
    });
  });

  describe('receipts', () => {
    it('are those of one plan, in the order of its steps', async () => {
      const ledger = await openWithPlan();
      for (const stepIndex of [10, 2, 0]) await ledger.claim(claimOf({ stepIndex }), mayBegin);
      await ledger.claim(claimOf({ stepIndex: 2, purpose: 'undo' }), mayBegin);
      await ledger.claim(claimOf({ namespace: 'shop-b' }), mayBegin);
      const receipts = await ledger.receipts(plan);
      expect(receipts.map(({ step_index, purpose }) => [step_index, purpose])).toEqual([
        ...[
          [0, 'do'],
          [2, 'do'],
          [2, 'undo'],
          [10, 'do'],
        ],
      ]);
      expect(await ledger.receipts({ ...plan, workflowId: 'other' })).toEqual([]);
    });
  });
}
