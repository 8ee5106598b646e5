import type { Ledger } from '../../src/ledger/ledger.js';
import { claimContract } from '../ledger/contract-claim.js';
import { planContract } from '../ledger/contract-plan.js';
import { settleContract } from '../ledger/contract-settle.js';
import type { Store } from '../ledger/contract.js';
import { type LedgerMethods, MemoryLedger, MemoryTables } from './memory-ledger.js';

// What every ledger must do, but for the SQL of its document.
for (const contract of [planContract, claimContract, settleContract]) {
  contract(() => Promise.resolve(createMemoryStore()));
}

function createMemoryStore(): Store {
  const tables = new MemoryTables();
  return {
    open: (now = Date.now) => Promise.resolve(new MemoryLedger(tables, now) as LedgerMethods as Ledger),
    /** Knows just enough SQL for the contract's half-written records. */
    execute(sql) {
      const [, assignments = '', key = ''] = /^UPDATE actions SET (.*) WHERE key = '(.*)'$/.exec(sql) ?? [];
      const record = tables.actions.get(key);
      if (!record) throw new Error(`no record for: ${sql}`);
      const changes = assignments.split(', ').map((assignment) => {
        const [column = '', value = ''] = assignment.split(' = ');
        return [column, value === 'NULL' ? null : value.slice(1, -1)] as const;
      });
      tables.actions.set(key, { ...record, ...Object.fromEntries(changes) });
      return Promise.resolve();
    },
  };
}
