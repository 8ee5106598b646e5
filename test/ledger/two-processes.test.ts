import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { finalFailure } from '../../src/plan/step-failure.js';
import { claimOf, mayBegin, plan, planFingerprint, succeeded } from './claims.js';
import { createSqliteStore, temporaryFolder } from './sqlite-store.js';
import { startProcess, startWorker } from './start-worker.js';

const rounds = Array.from({ length: 50 }, (_, round) => round);

describe('two workers on one file', () => {
  it('claim at the same moment, 50 times: one begins, both are counted', async () => {
    const { url } = createSqliteStore();
    const workers = await Promise.all([startWorker(url), startWorker(url)]);
    for (const stepIndex of rounds) {
      const claim = claimOf({ stepIndex });
      const replies = await Promise.all(workers.map((tell) => tell({ do: 'claim', claim })));
      expect(replies).toContainEqual({ asks: 1, began: true });
      expect(replies).toContainEqual({ asks: 2, began: false });
    }
  });

  it('are eight that make the file at the same moment, 5 times', async () => {
    const folder = temporaryFolder();
    const workers = await Promise.all(Array.from({ length: 8 }, startProcess));
    for (const round of rounds.slice(0, 5)) {
      const url = `file:${folder}/new-${round}/ledger.db`;
      const replies = await Promise.all(workers.map((tell) => tell({ do: 'open', url })));
      expect(replies).toEqual(workers.map(() => 'done'));
    }
  });
});

describe('while another process keeps the file locked', () => {
  it('before it is a ledger, opening waits', async () => {
    const file = join(temporaryFolder(), 'ledger.db');
    const other = await startProcess();
    expect(await other({ do: 'lock', file })).toBe('done');
    const opening = openLedger(`file:${file}`);
    expect(await other({ do: 'unlock' })).toBe('done');
    const ledger = await opening;
    onTestFinished(() => ledger.close());
    await ledger.openPlan(plan, planFingerprint);
  });

  it('nothing can be written, nothing is lost, and all of it can be tried again', async () => {
    const store = createSqliteStore();
    const ledger = await store.open();
    await ledger.openPlan(plan, planFingerprint);
    const asked = await ledger.claim(claimOf(), mayBegin);
    const other = await startProcess();
    expect(await other({ do: 'lock', file: store.file })).toBe('done');

    const writes = await Promise.allSettled([
      ledger.claim(claimOf({ stepIndex: 1 }), mayBegin),
      ledger.settle(asked.key, succeeded()),
      ledger.deny(asked.key),
      ledger.accept(asked.key, 'pi_1'),
      ledger.lease(asked.key, 1000),
      ledger.fence(plan, asked.key, 1),
    ]);
    for (const write of writes) {
      const error = write.status === 'rejected' ? (write.reason as Error) : undefined;
      expect(error?.message).toBe('database is locked');
      expect(Object.values<string>(finalFailure)).not.toContain(error?.name);
    }
    expect(await ledger.find(asked.key)).toEqual(asked);

    expect(await other({ do: 'unlock' })).toBe('done');
    expect(await ledger.receipts(plan)).toEqual([asked]);
    expect(await ledger.settle(asked.key, succeeded('pi_1'))).toMatchObject({ state: 'succeeded', reference: 'pi_1' });
    expect(await ledger.claim(claimOf({ stepIndex: 1 }), mayBegin)).toMatchObject({ asks: 1 });
  });

  it('what is to be written waits for seconds, and the process goes on with everything else', async () => {
    const store = createSqliteStore();
    const ledger = await store.open();
    await ledger.openPlan(plan, planFingerprint);
    const other = await startProcess();
    await other({ do: 'lock', file: store.file });
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 10);

    const claims = rounds.map((stepIndex) => ledger.claim(claimOf({ stepIndex }), mayBegin));
    const late = await store.open();
    expect(await late.receipts(plan)).toEqual([]);
    // A wait that blocks until the lock is free or its time is over would let through a handful.
    await expect.poll(() => ticks).toBeGreaterThan(20);
    clearInterval(ticking);
    await other({ do: 'unlock' });

    expect((await Promise.all(claims)).map(({ asks }) => asks)).toEqual(rounds.map(() => 1));
  });
});
