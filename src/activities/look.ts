import type { ActionRecord } from '../ledger/action-record.js';
import type { OnceDeps } from './once.js';

// All durations are in ms.

/** Stripe and Resend keep keys for 24 h; an hour is left for requests on their way and clocks that differ. */
const providerMemory = 23 * 3_600_000;
/** Clocks of workers and providers differ by seconds; a clock that is minutes behind the record has jumped back. */
const clockTolerance = 5 * 60_000;
/** Around the asks: a request's time on its way and the clocks' difference, an hour as above. */
const margin = 3_600_000;
/** A claim permits an ask for so long: a process that stood still since does not know what people settled meanwhile. */
export const claimDuration = 60_000;
/** How long to wait before reading again what is not final yet: as long as a card network takes. */
export const followInterval = 2_000;

/** A look that took longer is not acted on. A busy account fills many pages, and each may take a request's time-out. */
export const lookLimit = (requestTimeout: number): number => 4 * requestTimeout;

/**
 * How long one attempt alone may look and then act: the request that follows the look ends after one time-out more; the
 * last one is for what lies between. A holder that died is waited for so long.
 */
export const leaseDuration = (requestTimeout: number): number => lookLimit(requestTimeout) + 2 * requestTimeout;

/** In s since the epoch, as Stripe counts. */
export interface LookWindow {
  gte: number;
  lte: number;
}

/** When an effect of any of the record's asks can have been created, by the provider's clock. */
export function lookWindow({ first_asked_at: first, last_asked_at: last }: ActionRecord): LookWindow {
  return { gte: Math.floor((first - margin) / 1000), lte: Math.ceil((last + margin) / 1000) };
}

/**
 * Whether the provider may have forgotten the key by now, so that asking would be a new operation. A clock that runs
 * behind the record says nothing about the record's age: it counts as old.
 */
export function isOld(
  { first_asked_at: first, last_asked_at: last }: ActionRecord,
  { now }: Pick<OnceDeps, 'now'>,
): boolean {
  return now() - first > providerMemory || now() < last - clockTolerance;
}
