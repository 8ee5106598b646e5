import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claimOf, mayBegin, plan } from './claims.js';
import type { Store } from './contract.js';

const docs = readFileSync(new URL('../../docs/ledger.md', import.meta.url), 'utf8');

/** The columns in the table under a heading that begins with `### `. */
const columnsUnder = (heading: string): string[] => {
  const section = docs.split('\n### ').find((text) => text.startsWith(heading)) ?? '';
  return [...section.matchAll(/^\| `(\w+)` /gm)].map(([, column]) => column ?? '');
};

/** The n-th SQL of the document. */
const sql = (index: number): string => {
  const block = [...docs.matchAll(/```sql\n(.*?)```/gs)][index]?.[1] ?? '';
  return block.replace('<fingerprint of the plan>', 'plan-a').replace('<fingerprint of the step>', 'step-a');
};

export function docsContract(createStore: () => Promise<Store>): void {
  describe('docs/ledger.md', () => {
    it('shows how to bring in a record, which is then the answer', async () => {
      const store = await createStore();
      const ledger = await store.open();
      await store.execute(sql(0));
      await ledger.openPlan(plan, 'plan-a');
      const record = await ledger.claim(claimOf(), mayBegin);
      expect(record).toMatchObject({ state: 'succeeded', reference: 'pi_123', asks: 1, replays: 1 });
      expect(JSON.parse(record.result ?? '')).toMatchObject({ id: 'pi_123', amount: 2500 });
    });

    it('names every column', async () => {
      const store = await createStore();
      const ledger = await store.open();
      await store.execute(sql(0));
      expect(columnsUnder('`actions`')).toEqual(Object.keys((await ledger.find(claimOf().key)) ?? {}));
      for (const column of columnsUnder('`plans`')) await store.execute(`SELECT ${column} FROM plans`);
      expect(columnsUnder('`plans`')).toHaveLength(7);
    });

    it('shows how to forget a plan that can then never act again', async () => {
      const store = await createStore();
      const ledger = await store.open(() => 1_700_000_000_000);
      await ledger.openPlan(plan, 'plan-a');
      await ledger.claim(claimOf(), mayBegin);
      await ledger.claim(claimOf({ stepIndex: 1 }), mayBegin);
      await ledger.settle(claimOf().key, { state: 'failed', error: '{}', replayed: false });
      await store.execute(sql(1));
      expect(await ledger.receipts(plan)).toMatchObject([{ step_index: 1, state: 'pending' }]);
      await expect(ledger.openPlan(plan, 'plan-a')).rejects.toThrow('never acts again');
    });

    it('shows how to erase a person, and keep the proof', async () => {
      const store = await createStore();
      const ledger = await store.open();
      const request = '{"to":"ada@example.com"}';
      await ledger.openPlan(plan, 'plan-a');
      for (const stepIndex of [0, 1]) await ledger.claim(claimOf({ tool: 'email', stepIndex, request }), mayBegin);
      await ledger.settle(claimOf().key, { state: 'succeeded', result: '{}', reference: 'em_1', replayed: false });
      await store.execute(sql(2));
      expect(await ledger.receipts(plan)).toMatchObject([{ request: '{}', reference: 'em_1' }, { request }]);
    });
  });
}
