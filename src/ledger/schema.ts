import type { Generated, Selectable } from 'kysely';
import type { KeyPurpose } from '../plan/idempotency-key.js';

export type ActionState = 'pending' | 'succeeded' | 'failed' | 'unknown';

/** One row a plan: which plan runs under a workflow id. */
export interface PlanTable {
  namespace: string;
  workflow_id: string;
  /** SHA-256 of the plan's canonical JSON. */
  fingerprint: string;
  /** A closed plan (undone) never acts again. */
  state: 'open' | 'closed';
  /** 0 if it never was, in this ledger: it was only closed, by a run whose records are lost. */
  opened_at: number;
  last_claim_at: number | null;
  /** Attempts that were scheduled by then may begin nothing: their step was reported as not done. Server time, ms. */
  fenced_until: Generated<number>;
}

export type PlanRow = Selectable<PlanTable>;

/** One row an operation: what was asked under a key, and what came of it. Times are ms since the epoch. */
export interface ActionTable {
  key: string;
  namespace: string;
  workflow_id: string;
  step_index: number;
  purpose: KeyPurpose;
  tool: string;
  step_fingerprint: string;
  /** The request as JSON, byte for byte what is sent on every attempt. */
  request: string;
  /** The provider's account it was first sent to: another account is another key space. */
  account: string | null;
  state: ActionState;
  result: string | null;
  error: string | null;
  /** The provider's id of the effect (`pi_…`, `re_…`), known as soon as it was accepted. */
  reference: string | null;
  /** How often the provider was, or may have been, asked. */
  asks: number;
  /** How many of these asks surely did nothing (rate limit, key in use, …). */
  denials: Generated<number>;
  /** How often the answer was given again from a record, the provider's or this one. */
  replays: Generated<number>;
  first_asked_at: number;
  last_asked_at: number;
  settled_at: number | null;
  /** Until then one attempt alone may look for the effect and, if it is absent, act. */
  lease_until: number | null;
}

export interface LedgerSchema {
  plans: PlanTable;
  actions: ActionTable;
  ledger_version: { version: number };
}
