import { describe, expect, it } from 'vitest';
import { claimOf, mayBegin, plan, planFingerprint } from './claims.js';
import type { Store } from './contract.js';

/** How the tables come to be what the code expects, and what happens where they are not. */
export function migrationsContract(createStore: () => Promise<Store>): void {
  describe('the tables', () => {
    it('are left alone when they are up to date, and keep what is in them', async () => {
      const store = await createStore();
      const ledger = await store.open();
      await ledger.openPlan(plan, planFingerprint);
      await ledger.claim(claimOf(), mayBegin);
      await store.execute('UPDATE actions SET asks = 7');
      expect(await (await store.open()).find(claimOf().key)).toMatchObject({ asks: 7 });
    });

    it('of a newer version are refused by older code, and left as they are', async () => {
      const store = await createStore();
      const ledger = await store.open();
      await ledger.openPlan(plan, planFingerprint);
      await store.execute('UPDATE ledger_version SET version = 99');
      await expect(store.open()).rejects.toThrow(
        "The ledger's tables have version 99, this code knows 1: update this program",
      );
      expect(await ledger.knows(plan)).toBe(true);
    });

    it('that are half made by somebody else are not taken over', async () => {
      const store = await createStore();
      await store.open();
      await store.execute('DELETE FROM ledger_version');
      await expect(store.open()).rejects.toThrow(/already exists/);
    });
  });
}
