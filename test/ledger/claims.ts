import type { Claim, PlanId } from '../../src/ledger/action-record.js';
import { idempotencyKey } from '../../src/plan/idempotency-key.js';

export const plan: PlanId = { namespace: 'default', workflowId: 'order-1042' };
export const planFingerprint = 'plan-a';

/** The claim of a charge, step 0 of `plan` unless told otherwise. */
export function claimOf(change: Partial<Claim> = {}): Claim {
  const identity = { ...plan, stepIndex: 0, purpose: 'do' as const, ...change };
  return {
    key: idempotencyKey(identity),
    tool: 'charge',
    planFingerprint,
    stepFingerprint: 'step-a',
    request: '{"amount":2500}',
    account: 'acct_1',
    attemptScheduledAt: 1,
    workflowStartedAt: 0,
    ...identity,
  };
}

export const mayBegin = (): void => undefined;

export const succeeded = (reference = 'pi_1', replayed = false) =>
  ({ state: 'succeeded', result: `{"id":"${reference}"}`, reference, replayed }) as const;

export const failed = (code = 'card_declined', replayed = false) =>
  ({ state: 'failed', error: `{"code":"${code}"}`, replayed }) as const;

export const unknown = (reason = 'lost') =>
  ({ state: 'unknown', error: `{"message":"${reason}"}`, replayed: false }) as const;
