/*
 * The database goes away while the worker is at work. Nothing that was written is lost, every attempt on its way fails
 * in a way that is tried again, and the worker goes on when the database is back. (An unhandled error fails the run.)
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, createCluster } from '../../scripts/postgres/cluster.js';
import { finalFailure } from '../../src/plan/step-failure.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { createDatabase, type TestDatabase } from '../rig/postgres.js';
import { claimOf, mayBegin, plan, planFingerprint, succeeded } from './claims.js';

let cluster: Cluster;
let database: TestDatabase;
let ledger: Ledger;

beforeAll(async () => {
  cluster = await createCluster();
  database = await createDatabase(cluster.url);
  ledger = await openLedger(database.url);
  await ledger.openPlan(plan, planFingerprint);
});

afterAll(async () => {
  await ledger.close();
  await cluster.remove();
});

async function crash(): Promise<void> {
  await cluster.stop('immediate');
  await cluster.start();
}

/** Temporal's part: one attempt after the other until one succeeds. No failure may be one that ends the step. */
async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).not.toBe('');
      expect(Object.values<string>(finalFailure)).not.toContain((error as Error).name);
      await sleep(50);
    }
  }
}

describe('a server that crashes', () => {
  it('between claim and settle has the claim, and takes the answer', async () => {
    const { key } = await ledger.claim(claimOf(), mayBegin);
    await crash();
    await untilDone(() => ledger.settle(key, succeeded('pi_7')));
    expect(await ledger.claim(claimOf(), mayBegin)).toMatchObject({ asks: 1, state: 'succeeded', reference: 'pi_7' });
  });

  it('in the middle of claims loses none that was granted, again and again', async () => {
    for (const round of [1, 2, 3, 4, 5]) {
      const indexes = Array.from({ length: 100 }, (_, index) => round * 1_000 + index);
      let granted = 0;
      const claiming = indexes.map((stepIndex) =>
        untilDone(() => ledger.claim(claimOf({ stepIndex }), mayBegin)).then((record) => {
          granted++;
          return record;
        }),
      );
      while (granted < 10) await sleep(1);
      await crash();
      await Promise.all(claiming);
      const records = (await ledger.receipts(plan)).filter(({ step_index }) => step_index >= round * 1_000);
      expect(records.map(({ step_index }) => step_index)).toEqual(indexes);
    }
  });

  it('and stays away is said in seconds', async () => {
    await cluster.stop('fast');
    await expect(ledger.find(claimOf().key)).rejects.toThrow();
    await expect(ledger.find(claimOf().key)).rejects.toThrow(/database cannot be reached: connect ECONNREFUSED/);
    await cluster.start();
    expect(await untilDone(() => ledger.find(claimOf().key))).toMatchObject({ state: 'succeeded' });
  });
});

it('a server that falls silent is left, and a new connection taken', async () => {
  await ledger.find(claimOf().key);
  const rows = await database.execute(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  const silent = rows.map(({ pid }) => Number(pid));
  for (const pid of silent) process.kill(pid, 'SIGSTOP');
  try {
    await expect(ledger.find(claimOf().key)).rejects.toThrow('does not answer');
    expect(await ledger.claim(claimOf(), mayBegin)).toMatchObject({ state: 'succeeded' });
  } finally {
    for (const pid of silent) process.kill(pid, 'SIGCONT');
  }
});

it('a transaction that its worker left open is ended by the server: the worker goes on, the plan is free', async () => {
  const rows = await database.execute(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  expect(rows.length).toBeGreaterThan(0);
  await expect
    .poll(() => ledger.claim(claimOf(), mayBegin).catch(() => undefined))
    .toMatchObject({ state: 'succeeded' });
});
