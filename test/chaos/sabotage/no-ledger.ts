import type { Ledger } from '../../../src/ledger/ledger.js';
import { changedLedger, tables } from './changed-ledger.js';

/** Nothing recorded is ever looked up: every claim is the first. The provider's keys alone are left, for a day. */
export const forgetful = (ledger: Ledger): Ledger =>
  changedLedger(ledger, {
    async claim(claim, mayBegin) {
      await tables(ledger).deleteFrom('actions').where('key', '=', claim.key).execute();
      return ledger.claim(claim, mayBegin);
    },
  });
