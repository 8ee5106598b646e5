import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { claimOf, mayBegin, plan, planFingerprint, succeeded } from './claims.js';
import { ledgerContract } from './contract.js';
import { createPostgresStore } from './postgres-store.js';
import { startProcess, startWorker } from './start-worker.js';

ledgerContract('the ledger in PostgreSQL', () => createPostgresStore());

const rounds = Array.from({ length: 200 }, (_, round) => round);

/** Another program that has a transaction open. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe('workers on one database', () => {
  it('are eight that make the tables at the same moment, 5 times', async () => {
    const workers = await Promise.all(Array.from({ length: 8 }, startProcess));
    for (let round = 0; round < 5; round++) {
      const { url } = await createPostgresStore();
      const replies = await Promise.all(workers.map((tell) => tell({ do: 'open', url })));
      expect(replies).toEqual(workers.map(() => 'done'));
    }
  });

  it('claim at the same moment, 200 times: one begins, both are counted', async () => {
    const { url } = await createPostgresStore();
    const workers = await Promise.all([startWorker(url), startWorker(url)]);
    for (const stepIndex of rounds) {
      const claim = claimOf({ stepIndex });
      const replies = await Promise.all(workers.map((tell) => tell({ do: 'claim', claim })));
      expect(replies).toContainEqual({ asks: 1, began: true });
      expect(replies).toContainEqual({ asks: 2, began: false });
    }
  });

  it('cannot claim what is being settled: the claim gets the answer', async () => {
    const store = await createPostgresStore();
    const ledger = await store.open();
    await ledger.openPlan(plan, planFingerprint);
    const { key } = await ledger.claim(claimOf(), mayBegin);
    const other = await connect(store.url);
    await other.query('BEGIN');
    await other.query(`UPDATE actions SET state = 'succeeded', result = '{}', reference = 'pi_7' WHERE key = '${key}'`);
    const claiming = ledger.claim(claimOf(), mayBegin);
    await sleep(200);
    await other.query('COMMIT');
    expect(await claiming).toMatchObject({ state: 'succeeded', reference: 'pi_7', asks: 1, replays: 1 });
  });

  it('are right whatever isolation the database has by default', async () => {
    const store = await createPostgresStore();
    const name = new URL(store.url).pathname.slice(1);
    await store.execute(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
    const ledger = await store.open();
    await ledger.openPlan(plan, planFingerprint);
    const records = await Promise.all(Array.from({ length: 20 }, () => ledger.claim(claimOf(), mayBegin)));
    expect(new Set(records.map(({ asks }) => asks)).size).toBe(20);
  });

  it('share few connections, however many activities are at work', async () => {
    const store = await createPostgresStore();
    const ledger = await store.open();
    // As many as a worker has slots, each of another plan.
    const claims = rounds
      .slice(0, 100)
      .map((round) => ledger.claim(claimOf({ workflowId: `order-${round}`, workflowStartedAt: 1 }), mayBegin));
    expect((await Promise.all(claims)).every(({ state }) => state === 'pending')).toBe(true);
    const other = await connect(store.url);
    const { rows } = await other.query<{ count: string }>(
      'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    expect(Number(rows[0]?.count)).toBeLessThanOrEqual(10);
  });
});

describe('another program', () => {
  it('that keeps a plan locked makes its claims fail, and be tried again', async () => {
    const store = await createPostgresStore();
    const ledger = await store.open();
    await ledger.openPlan(plan, planFingerprint);
    const other = await connect(store.url);
    await other.query('BEGIN');
    await other.query(`UPDATE plans SET opened_at = opened_at`);
    await expect(ledger.claim(claimOf(), mayBegin)).rejects.toThrow('lock timeout');
    await other.query('ROLLBACK');
    expect(await ledger.claim(claimOf(), mayBegin)).toMatchObject({ asks: 1 });
  });

  it('that may only read can read everything while a worker writes', async () => {
    const store = await createPostgresStore();
    const ledger = await store.open();
    await ledger.openPlan(plan, planFingerprint);
    await ledger.claim(claimOf(), mayBegin);
    await ledger.settle(claimOf().key, succeeded());
    const auditor = `auditor_${new URL(store.url).pathname.slice(1)}`;
    await store.execute(`CREATE ROLE ${auditor} LOGIN PASSWORD 'secret-of-the-auditor'`);
    onTestFinished(() => store.execute(`DROP OWNED BY ${auditor}; DROP ROLE ${auditor}`));
    await store.execute(`GRANT SELECT ON plans, actions, ledger_version TO ${auditor}`);
    const writer = await connect(store.url);
    await writer.query('BEGIN');
    await writer.query('UPDATE actions SET replays = replays');

    const url = new URL(store.url);
    url.username = auditor;
    url.password = 'secret-of-the-auditor';
    const reader = await openLedger(url.href);
    onTestFinished(() => reader.close());
    expect(await reader.receipts(plan)).toMatchObject([{ state: 'succeeded', reference: 'pi_1' }]);
    await expect(reader.claim(claimOf(), mayBegin)).rejects.toThrow('permission denied');
  });
});
