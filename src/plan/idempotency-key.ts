import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** `do` is the step's own effect, `undo` its compensation: an operation of its own, so a key of its own. */
export type KeyPurpose = 'do' | 'undo';

export interface KeyParts {
  namespace: string;
  workflowId: string;
  stepIndex: number;
  purpose: KeyPurpose;
}

/**
 * The idempotency key of one operation, e.g. `ap1_0_do_a007c5a6…`: printable ASCII, at most 85 characters.
 *
 * Everything in it is known before the workflow starts and stays the same through retry, crash, replay, reset and a
 * second start. Nothing that belongs to an attempt or a run may enter (run id, attempt, time, random): the provider
 * would take the retry for a new operation. Nothing the model wrote may enter either: two rightful identical steps
 * must both happen. JSON keeps the parts apart, so no two different tuples are ever the same string.
 */
export function idempotencyKey({ namespace, workflowId, stepIndex, purpose }: KeyParts): string {
  const identity = JSON.stringify(['agent-plan/v1', namespace, workflowId, stepIndex, purpose]);
  return `ap1_${stepIndex}_${purpose}_${bytesToHex(sha256(utf8ToBytes(identity)))}`;
}
