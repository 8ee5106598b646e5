import { describe } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.js';
import { claimContract } from './contract-claim.js';
import { docsContract } from './contract-docs.js';
import { migrationsContract } from './contract-migrations.js';
import { planContract } from './contract-plan.js';
import { settleContract } from './contract-settle.js';

/** A place where a ledger is kept. It is empty at first, and removed when the test ends. */
export interface Store {
  /** Opens the ledger, once more if it was opened before, as another worker does. */
  open(now?: () => number): Promise<Ledger>;
  /** Changes records behind the ledger's back. */
  execute(sql: string): Promise<void>;
}

/** What every database must do alike. */
export function ledgerContract(name: string, createStore: () => Promise<Store>): void {
  describe(name, () => {
    migrationsContract(createStore);
    planContract(createStore);
    claimContract(createStore);
    settleContract(createStore);
    docsContract(createStore);
  });
}
