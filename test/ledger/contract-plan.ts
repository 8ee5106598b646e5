import { describe, expect, it } from 'vitest';
import type { Claim } from '../../src/ledger/action-record.js';
import { AttemptTooLate, PlanChanged, PlanClosed } from '../../src/ledger/refusals.js';
import { claimOf, mayBegin, plan, planFingerprint, succeeded } from './claims.js';
import type { Store } from './contract.js';

export function planContract(createStore: () => Promise<Store>): void {
  describe('a plan', () => {
    it('is opened as often as it is started', async () => {
      const store = await createStore();
      const [one, other] = [await store.open(), await store.open()];
      await one.openPlan(plan, planFingerprint);
      await one.openPlan(plan, planFingerprint);
      await other.openPlan(plan, planFingerprint);
      expect(await other.knows(plan)).toBe(true);
    });

    it('is not replaced by another one under its workflow id', async () => {
      const ledger = await (await createStore()).open();
      await ledger.openPlan(plan, planFingerprint);
      await expect(ledger.openPlan(plan, 'plan-b')).rejects.toThrow(PlanChanged);
      await expect(ledger.openPlan(plan, 'plan-b')).rejects.toThrow('use a new workflow id');
      await ledger.openPlan(plan, planFingerprint);
    });

    it('is known by namespace and id', async () => {
      const ledger = await (await createStore()).open();
      await ledger.openPlan(plan, planFingerprint);
      await ledger.openPlan({ ...plan, namespace: 'shop-b' }, 'plan-b');
      await ledger.openPlan({ ...plan, workflowId: 'ORDER-1042' }, 'plan-c');
      expect(await ledger.knows({ ...plan, namespace: 'shop-c' })).toBe(false);
    });

    it('of two that are opened at once under one id, is one', async () => {
      const ledger = await (await createStore()).open();
      const outcomes = await Promise.allSettled([ledger.openPlan(plan, 'plan-a'), ledger.openPlan(plan, 'plan-b')]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const refused = outcomes.find((outcome) => outcome.status === 'rejected');
      expect(refused?.reason).toBeInstanceOf(PlanChanged);
    });
  });

  describe('a step that is reported as not done', () => {
    const scheduledAt = (attemptScheduledAt: number, change: Partial<Claim> = {}): Claim =>
      claimOf({ attemptScheduledAt, ...change });

    it('is not begun by an attempt from before, only by a later one', async () => {
      const ledger = await (await createStore()).open();
      await ledger.openPlan(plan, planFingerprint);
      expect(await ledger.fence(plan, claimOf().key, 5_000)).toBeUndefined();
      await ledger.fence(plan, claimOf().key, 4_000);
      await expect(ledger.claim(scheduledAt(5_000), mayBegin)).rejects.toThrow(AttemptTooLate);
      expect(await ledger.find(claimOf().key)).toBeUndefined();
      expect(await ledger.claim(scheduledAt(5_001), mayBegin)).toMatchObject({ asks: 1 });
      // Now it may have happened: the same key asks for nothing new.
      expect(await ledger.claim(scheduledAt(4_000), mayBegin)).toMatchObject({ asks: 2 });
    });

    it('may be an undo: what is reported as not given back stays', async () => {
      const ledger = await (await createStore()).open();
      await ledger.openPlan(plan, planFingerprint);
      await ledger.closePlan(plan, planFingerprint);
      const undo = { purpose: 'undo', tool: 'refund' } as const;
      await ledger.fence(plan, claimOf(undo).key, 5_000);
      await expect(ledger.claim(scheduledAt(5_000, undo), mayBegin)).rejects.toThrow(AttemptTooLate);
      expect(await ledger.claim(scheduledAt(5_001, undo), mayBegin)).toMatchObject({ asks: 1 });
    });

    it('is not one that may have happened: it is asked for again', async () => {
      const ledger = await (await createStore()).open();
      await ledger.openPlan(plan, planFingerprint);
      await ledger.claim(scheduledAt(1_000), mayBegin);
      expect(await ledger.fence(plan, claimOf().key, 5_000)).toMatchObject({ state: 'pending', asks: 1 });
      expect(await ledger.claim(scheduledAt(1_000), mayBegin)).toMatchObject({ asks: 2 });
      expect(await ledger.claim(scheduledAt(1_000, { stepIndex: 1 }), mayBegin)).toMatchObject({ asks: 1 });
    });
  });

  it('that is closed in a ledger that never opened it has lost its records', async () => {
    const ledger = await (await createStore()).open(() => 9_000);
    await ledger.closePlan(plan, planFingerprint);
    expect(await ledger.knows(plan)).toBe(false);
    await expect(ledger.openPlan(plan, planFingerprint)).rejects.toThrow(PlanClosed);
    const undo = claimOf({ purpose: 'undo', tool: 'refund', workflowStartedAt: 4_000 });
    expect(await ledger.claim(undo, mayBegin)).toMatchObject({ asks: 2, first_asked_at: 4_000 });
  });

  describe('a closed plan', () => {
    it('is not opened again', async () => {
      const ledger = await (await createStore()).open();
      await ledger.openPlan(plan, planFingerprint);
      await ledger.closePlan(plan, planFingerprint);
      await ledger.closePlan(plan, planFingerprint);
      await expect(ledger.openPlan(plan, planFingerprint)).rejects.toThrow(PlanClosed);
    });

    it('begins nothing and asks nothing again', async () => {
      const ledger = await (await createStore()).open();
      await ledger.openPlan(plan, planFingerprint);
      const begun = await ledger.claim(claimOf(), mayBegin);
      await ledger.closePlan(plan, planFingerprint);
      await expect(ledger.claim(claimOf(), mayBegin)).rejects.toThrow(PlanClosed);
      await expect(ledger.claim(claimOf({ stepIndex: 1 }), mayBegin)).rejects.toThrow(PlanClosed);
      expect(await ledger.find(claimOf({ stepIndex: 1 }).key)).toBeUndefined();
      expect(await ledger.find(claimOf().key)).toMatchObject({ state: 'pending', asks: begun.asks });
    });

    it('still gives the answers it has', async () => {
      const ledger = await (await createStore()).open();
      await ledger.openPlan(plan, planFingerprint);
      const { key } = await ledger.claim(claimOf(), mayBegin);
      await ledger.settle(key, succeeded('pi_7'));
      await ledger.closePlan(plan, planFingerprint);
      expect(await ledger.claim(claimOf(), mayBegin)).toMatchObject({ state: 'succeeded', reference: 'pi_7' });
    });

    it('lets its undo act', async () => {
      const ledger = await (await createStore()).open();
      await ledger.openPlan(plan, planFingerprint);
      await ledger.closePlan(plan, planFingerprint);
      const undo = claimOf({ purpose: 'undo', tool: 'refund' });
      expect(await ledger.claim(undo, mayBegin)).toMatchObject({ purpose: 'undo', state: 'pending', asks: 1 });
    });

    it('lets its undo ask again for what may have happened, but begin nothing', async () => {
      const ledger = await (await createStore()).open();
      await ledger.openPlan(plan, planFingerprint);
      await ledger.claim(claimOf(), mayBegin);
      await ledger.closePlan(plan, planFingerprint);
      expect(await ledger.claim(claimOf({ forUndo: true }), mayBegin)).toMatchObject({ state: 'pending', asks: 2 });
      // Nor does the policy keep it from learning of what was surely not done.
      await ledger.deny(claimOf().key);
      await ledger.deny(claimOf().key);
      const refuse = (): void => {
        throw new Error('the policy says no');
      };
      expect(await ledger.claim(claimOf({ forUndo: true }), refuse)).toMatchObject({ asks: 3, denials: 2 });
      const neverAsked = claimOf({ stepIndex: 1, forUndo: true });
      await expect(ledger.claim(neverAsked, mayBegin)).rejects.toThrow(PlanClosed);
      expect(await ledger.find(neverAsked.key)).toBeUndefined();
    });
  });
}
