/**
 * What the gateway can do to one request. `docs` of each one: what the service does / what the caller gets.
 * In all but the "never reached" group the effect is committed, which is the whole point: only the answer is lost.
 */
export const faultNames = [
  // The answer never comes.
  'drop', // commit / the socket is closed
  'hang', // commit / nothing, on an open socket
  // The answer comes late.
  'late', // commit now / the answer after delayMs
  'slow', // commit after delayMs, the key in flight meanwhile / the answer then
  // The answer comes damaged.
  '502-after', // commit / a proxy's HTML page
  'truncate-clean', // commit / valid framing around half of the JSON
  'truncate-length', // commit / less than Content-Length promises, then the end
  'truncate-stall', // commit / headers and half of the body, then nothing
  'empty-200', // commit / 200 without a body
  'trickle', // commit / a byte every 200 ms, without end: an idle time-out never fires
  // The service is never reached.
  '502-before',
  '429',
  '400-rate-limit',
  'lock-timeout',
  '409', // "another request with this key is in flight"
  'reject-422',
  '409-mismatch', // "this key was used with another body"
  // The service itself stores a failure under the key.
  '500-saved', // nothing is executed / 500
  '500-saved-after', // commit / 500
] as const;

export type FaultName = (typeof faultNames)[number];

/** These answers exist at Resend only; Stripe's own validation and mismatch are provoked with a bad request. */
export const mailOnlyFaults: ReadonlySet<FaultName> = new Set(['reject-422', '409-mismatch']);
