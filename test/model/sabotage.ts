import type { Operation } from '../../src/activities/once.js';
import type { LedgerMethods } from './memory-ledger.js';
import type { Found } from './provider.js';

/** A way to break the product from outside: by what it is given. The search must find it out. */
export interface Sabotage {
  /** The provider has no keys. */
  ignoresKeys?: boolean;
  ledger?: (ledger: LedgerMethods, now: () => number) => Partial<LedgerMethods>;
  /** An attempt does not know that time passes. */
  standingClock?: boolean;
  operation?: (operation: Operation<unknown, Found>, scheduledAt: number) => Operation<unknown, Found>;
}
