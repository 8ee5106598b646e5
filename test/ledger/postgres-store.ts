import { onTestFinished } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { createDatabase } from '../rig/postgres.js';
import type { Store } from './contract.js';

/** A database of its own on the test server, or on that of `serverUrl`. */
export async function createPostgresStore(serverUrl?: string): Promise<Store & { url: string }> {
  const database = await createDatabase(serverUrl);
  onTestFinished(() => database.drop());
  return {
    url: database.url,
    async open(now = Date.now) {
      const ledger = await openLedger(database.url, now);
      onTestFinished(() => ledger.close());
      return ledger;
    },
    async execute(sql) {
      await database.execute(sql);
    },
  };
}
