import type { StepError } from '../plan/report.js';

/** What a provider's reply tells about one operation. The names are those of the table in `provider-failures.ts`. */
export type Answer<Result> =
  | { kind: 'succeeded'; result: Result; reference: string; replayed: boolean }
  /** Accepted, but not final: to be followed by reading, for the same key would give the old answer again for ever. */
  | { kind: 'not_final'; reference: string; error: StepError }
  | Failure;

export interface Failure {
  kind: FailureKind;
  error: StepError;
  replayed: boolean;
  /** How long the provider asked to be left alone, in ms. */
  retryAfter?: number;
}

export type FailureKind =
  /** Did not happen and never will under this key. */
  | 'declined'
  /** Did not happen, if this was the only ask: an earlier one may have worked. */
  | 'refused'
  /** Did not happen this time: ask again. */
  | 'not_now'
  /** May have happened: ask again, the key keeps it single. */
  | 'ambiguous'
  /** Asking again would never tell: the key is taken by another request, or a stored failure is given again. */
  | 'stuck';

/** What a look at the provider finds: the effect in whatever state, surely no effect, or nothing that can be told. */
export type Finding<Result> = Answer<Result> | { kind: 'absent' };
