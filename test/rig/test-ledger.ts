import type { Ledger } from '../../src/ledger/ledger.js';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { createDatabase, testPostgresUrl } from './postgres.js';

export interface TestLedger {
  ledger: Ledger;
  url: string;
  /** Closes it; a database that was made for it is dropped. */
  remove: () => Promise<void>;
}

/** An empty ledger in `file`, or in a database of its own where the tests run on PostgreSQL. */
export async function openTestLedger(file: string, now?: () => number): Promise<TestLedger> {
  const database = testPostgresUrl ? await createDatabase() : undefined;
  const url = database?.url ?? `file:${file}`;
  const ledger = await openLedger(url, now);
  return {
    ...{ ledger, url },
    async remove() {
      await ledger.close();
      await database?.drop();
    },
  };
}
