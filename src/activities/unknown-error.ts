import type { ActionRecord } from '../ledger/action-record.js';
import type { StepError } from '../plan/report.js';

/** Says what a person should do; the same words wherever an outcome stays unknown. */
export function unknownError(
  { tool, key, asks }: Pick<ActionRecord, 'tool' | 'key' | 'asks'>,
  reason: string,
  advice: 'ask again' | 'look' = 'ask again',
): StepError {
  const settle = `look for ${key} at the provider and settle it with "resolve"`;
  return {
    type: 'outcome_unknown',
    message:
      `It is not known whether the ${tool} took effect (asked ${asks} times; last: ${reason}). ` +
      (advice === 'look'
        ? `Asking again would not tell: ${settle}.`
        : `Start the same plan under the same workflow id to ask again safely, or ${settle}.`),
  };
}
