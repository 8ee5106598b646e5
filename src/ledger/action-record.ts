import type { Selectable } from 'kysely';
import type { KeyPurpose } from '../plan/idempotency-key.js';
import type { ActionTable } from './schema.js';

export type ActionRecord = Selectable<ActionTable>;

export interface PlanId {
  namespace: string;
  workflowId: string;
}

/** One operation of a plan, about to be claimed. */
export interface Claim extends PlanId {
  key: string;
  stepIndex: number;
  purpose: KeyPurpose;
  tool: string;
  planFingerprint: string;
  stepFingerprint: string;
  /** What would be sent if this is the first claim, as JSON; later claims send what was recorded. */
  request: string;
  account: string | null;
  /** When Temporal scheduled the attempt that claims; ms since the epoch, by the server's clock. */
  attemptScheduledAt: number;
  /** ms since the epoch: no step of the plan can have been asked earlier. */
  workflowStartedAt: number;
  /** An undo asks again for what may have happened; it never begins anything, but may ask although the plan is closed. */
  forUndo?: boolean;
}

/** What an operation came to. `result` and `error` are JSON. */
export type Settlement =
  | { state: 'succeeded'; result: string; reference: string; replayed: boolean }
  | { state: 'failed' | 'unknown'; error: string; replayed: boolean };

/**
 * Whether the record is the answer. A half-written record (succeeded without its result) is none: the same key is
 * asked again, and the provider gives the result again.
 */
export const isSettled = ({ state, result, error }: Pick<ActionRecord, 'state' | 'result' | 'error'>): boolean =>
  (state === 'succeeded' && result !== null) || (state === 'failed' && error !== null);

/** An ask that did not end in a sure "nothing happened" may have taken effect, whatever was heard of it. */
export const ambiguousAsks = ({ asks, denials }: Pick<ActionRecord, 'asks' | 'denials'>): number => asks - denials;

/** The columns of a first claim; the others begin as their defaults. */
export const newRecord = (claim: Claim, now: number) => ({
  ...planColumns(claim),
  key: claim.key,
  step_index: claim.stepIndex,
  purpose: claim.purpose,
  tool: claim.tool,
  step_fingerprint: claim.stepFingerprint,
  request: claim.request,
  account: claim.account,
  state: 'pending' as const,
  asks: 1,
  first_asked_at: now,
  last_asked_at: now,
});

/** False where the ledger was lost since: every plan is opened before its first step. */
export const wasOpened = (row: { opened_at: number } | undefined): boolean => row !== undefined && row.opened_at > 0;

/**
 * The plan was opened, but not in this ledger: it was lost since, and records of earlier asks with it. So this ask does
 * not count as the only one, nor as the first.
 */
export const lostAsks = ({ workflowStartedAt }: Claim) => ({ asks: 2, first_asked_at: workflowStartedAt });

/**
 * When the asks that may have acted were sent, with the one that is claimed now. Asks that surely did nothing have left
 * no effect to look for and no key to be forgotten.
 */
export const timesOfNextAsk = (known: ActionRecord, now: number) =>
  ambiguousAsks(known) === 0
    ? { first_asked_at: now, last_asked_at: now }
    : { last_asked_at: Math.max(now, known.last_asked_at) };

/** What a settlement changes. */
export const settled = (record: ActionRecord, { replayed, ...settlement }: Settlement, now: number) => ({
  ...settlement,
  ...(settlement.state === 'succeeded' ? { error: null } : {}),
  replays: record.replays + (replayed ? 1 : 0),
  settled_at: now,
});

export const planColumns = (plan: PlanId) => ({ namespace: plan.namespace, workflow_id: plan.workflowId });
