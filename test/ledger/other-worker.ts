import Database from 'libsql';
import type { Claim } from '../../src/ledger/action-record.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { plan, planFingerprint } from './claims.js';

/** A worker's process, told over IPC what to do: one order, one answer. It ends when its parent does. */
export type Order =
  | { do: 'nothing' }
  | { do: 'open'; url: string }
  | { do: 'claim'; claim: Claim }
  | { do: 'lock'; file: string }
  | { do: 'unlock' };

export type Reply = { asks: number; began: boolean } | { error: string } | 'done';

let ledger: Ledger | undefined;
let locker: Database.Database | undefined;

async function obey(order: Order): Promise<Reply> {
  switch (order.do) {
    case 'nothing':
      return 'done';
    case 'open':
      await ledger?.close();
      ledger = await openLedger(order.url);
      await ledger.openPlan(plan, planFingerprint);
      return 'done';
    case 'claim': {
      if (!ledger) throw new Error('no ledger is open');
      let began = false;
      const { asks } = await ledger.claim(order.claim, () => (began = true));
      return { asks, began };
    }
    case 'lock':
      locker = new Database(order.file);
      locker.exec('BEGIN IMMEDIATE');
      return 'done';
    case 'unlock':
      locker?.exec('ROLLBACK');
      locker?.close();
      return 'done';
  }
}

process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => {
  void obey(order)
    .catch((error: unknown): Reply => ({ error: error instanceof Error ? error.message : String(error) }))
    .then((reply) => process.send?.(reply));
});
