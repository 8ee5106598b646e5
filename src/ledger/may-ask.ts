import { type ActionRecord, ambiguousAsks, type Claim } from './action-record.js';
import { AttemptTooLate, PlanClosed } from './refusals.js';
import type { PlanRow } from './schema.js';

/**
 * Throws if the operation may not be asked for, or not any more. What `mayBegin` says counts while surely nothing was done;
 * an undo only asks what became of it.
 */
export function checkMayAsk(
  claim: Claim,
  plan: Pick<PlanRow, 'state' | 'fenced_until'> | undefined,
  known: ActionRecord | undefined,
  mayBegin: () => void,
): void {
  const mayAsk = claim.forUndo === true ? known !== undefined : plan?.state !== 'closed' || claim.purpose === 'undo';
  if (!mayAsk) throw new PlanClosed(claim.workflowId);
  // An undo too: what is reported as not given back may not be given back later.
  const isFenced = plan !== undefined && claim.attemptScheduledAt <= plan.fenced_until;
  const mayHaveActed = known !== undefined && ambiguousAsks(known) > 0;
  if (isFenced && !mayHaveActed) throw new AttemptTooLate(claim.key);
  if (!mayHaveActed && claim.forUndo !== true) mayBegin();
}
