import { StripeError } from './errors.js';

/** Texts as in public reports of Stripe's answers; none of the 400s has a `code`. */
const cure = (key: string): string =>
  `Try using a key other than '${key}' if you meant to execute a different request.`;

const mismatch = (message: string): StripeError =>
  new StripeError(400, { type: 'idempotency_error', message }, 'mismatch');

export function otherParameters(key: string): StripeError {
  const rule = 'Keys for idempotent requests can only be used with the same parameters they were first used with.';
  return mismatch(`${rule} ${cure(key)}`);
}

export function otherEndpoint(key: string, path: string, firstPath: string): StripeError {
  const rule = 'Keys for idempotent requests can only be used for the same endpoint they were first used for';
  return mismatch(`${rule} ('${path}' vs '${firstPath}'). ${cure(key)}`);
}

/** Clients should go by the status and the code: reports differ about the type. */
export function keyInUse(key: string): StripeError {
  const message =
    'There is currently another in-progress request using this Idempotent Key (that probably means you submitted ' +
    `twice, and the other request is still going through): ${key}. Please try again later.`;
  return new StripeError(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use', message }, 'in_flight');
}

export function keyOfWrongLength(key: string): StripeError {
  const message =
    `Idempotent key length is ${key.length} characters long, which is outside accepted lengths. Idempotent Keys must ` +
    "be 1-255 characters long. If you're looking for a decent generator, try using a UUID defined by IETF RFC 4122.";
  return new StripeError(400, { type: 'idempotency_error', message });
}
