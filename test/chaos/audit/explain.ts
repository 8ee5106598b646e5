import { ambiguousAsks, type ActionRecord } from '../../../src/ledger/action-record.js';
import type { Fate } from '../plan-writer.js';
import type { Truth } from './truth.js';

/** Resend's and Stripe's memory, less the hour that the ledger leaves. */
const providerMemory = 23 * 3_600_000;
const storedFailures = ['500-saved', '500-saved-after'];

/**
 * Why it is right that nobody can tell what became of an operation, from what the outside world did to its requests;
 * undefined if there is no good reason.
 */
export function explain(
  record: ActionRecord | undefined,
  truth: Truth,
  fate: Fate | undefined,
  undoes: boolean,
): string | undefined {
  if (!record) return undefined;
  const requests = truth.requestsOf(record.key);
  const stored = requests.find(({ fault }) => storedFailures.includes(fault ?? ''))?.fault;
  if (stored) return `the provider stored a failure under the key (${stored})`;
  const span = (record.settled_at ?? record.last_asked_at) - record.first_asked_at;
  if (record.tool === 'email' && span > providerMemory && ambiguousAsks(record) > 0) {
    return 'an e-mail whose answer was lost, and whose key the provider may have forgotten';
  }
  if (record.tool === 'email' && undoes && ambiguousAsks(record) > 0) {
    return 'an e-mail whose answer was lost, and which an undo asks for no more';
  }
  if (fate === 'refused' && ambiguousAsks(record) > 1) {
    return 'the provider refused it, but an earlier ask was not answered';
  }
  return undefined;
}
