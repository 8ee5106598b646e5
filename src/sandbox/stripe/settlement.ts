import type { SandboxDatabase } from '../database.js';
import { expireHold } from './payment-intents/expire.js';
import type { Origin, Records } from './records.js';
import { settleRefund } from './refunds/settle.js';
import type { Charge, Refund } from './resources.js';

interface DueRow {
  account: string;
  key: string | null;
  due_ms: number;
  json: string;
}

/**
 * Lets what has been due happen, in its order: refunds settle, authorizations expire. Done before anything reads, in
 * place of a timer that a restart or a jump of the clock would lose.
 */
export function createSettlement(
  database: SandboxDatabase,
  recordsOf: (origin: Origin) => Records,
): (now: number) => void {
  const due = database.prepare(
    'SELECT account, key, due_ms, json FROM stripe_objects WHERE due_ms IS NOT NULL AND due_ms <= ? ORDER BY due_ms',
  );
  return (now) => {
    for (const { account, key, due_ms, json } of due.all(now) as DueRow[]) {
      const records = recordsOf({ account, key, now: due_ms });
      const object = JSON.parse(json) as Charge | Refund;
      if (object.object === 'charge') expireHold(object, records, due_ms);
      else settleRefund(object, records);
    }
  };
}
