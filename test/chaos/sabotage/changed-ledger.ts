import type { Kysely } from 'kysely';
import type { Ledger } from '../../../src/ledger/ledger.js';
import type { LedgerSchema } from '../../../src/ledger/schema.js';

/** The ledger with some of its methods replaced; those that stay call the replaced ones. */
export const changedLedger = (ledger: Ledger, changes: Partial<Ledger>): Ledger =>
  Object.assign(Object.create(ledger) as Ledger, changes);

/** The tables themselves: a sabotage writes what the ledger's own methods never would. */
export const tables = (ledger: Ledger): Kysely<LedgerSchema> =>
  (ledger as unknown as { database: Kysely<LedgerSchema> }).database;
