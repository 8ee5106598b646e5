import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { finalFailure } from '../../src/plan/step-failure.js';
import { claimOf, mayBegin, plan, planFingerprint, succeeded } from './claims.js';
import type { Order, Reply } from './other-worker.js';
import { createSqliteStore, temporaryFolder } from './sqlite-store.js';

/** Another process; it has answered once before, so that two of them start their next order at the same moment. */
async function startWorker(url: string): Promise<(order: Order) => Promise<Reply>> {
  const child = fork(fileURLToPath(new URL('other-worker.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const tell = async (order: Order): Promise<Reply> => {
    child.send(order);
    const [reply] = (await once(child, 'message')) as [Reply];
    return reply;
  };
  await tell({ do: 'open', url });
  return tell;
}

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

  it('make the file at the same moment, 20 times', async () => {
    const folder = temporaryFolder();
    const workers = await Promise.all([startWorker(`file:${folder}/a.db`), startWorker(`file:${folder}/b.db`)]);
    for (const round of rounds.slice(0, 20)) {
      const url = `file:${folder}/new-${round}/ledger.db`;
      expect(await Promise.all(workers.map((tell) => tell({ do: 'open', url })))).toEqual(['done', 'done']);
    }
  });
});

describe('while another process keeps the file locked', () => {
  it('nothing can be written, nothing is lost, and all of it can be tried again', async () => {
    const store = createSqliteStore();
    const ledger = await store.open();
    await ledger.openPlan(plan, planFingerprint);
    const asked = await ledger.claim(claimOf(), mayBegin);
    const other = await startWorker(`file:${temporaryFolder()}/other.db`);
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
});
