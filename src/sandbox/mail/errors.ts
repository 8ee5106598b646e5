import type { Answer } from '../gateway/exchange.js';
import type { ProviderErrors } from '../gateway/provider-errors.js';

/** Resend's error object. Names, statuses and texts: https://resend.com/docs/api-reference/errors */
export function resendError(
  statusCode: number,
  name: string,
  message: string,
  headers: Record<string, string> = {},
): Answer {
  return {
    status: statusCode,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ statusCode, name, message }),
  };
}

const rateLimitText =
  'Too many requests. Please limit the number of requests per second. Or contact support to increase rate limit.';

export const mailErrors = {
  // Unlike Stripe, Resend documents Retry-After: https://resend.com/changelog/api-rate-limit
  rateLimit: () =>
    resendError(429, 'rate_limit_exceeded', rateLimitText, { 'retry-after': '1', 'ratelimit-remaining': '0' }),
  rateLimitAs400: () => resendError(400, 'rate_limit_exceeded', rateLimitText),
  lockTimeout: () =>
    resendError(429, 'rate_limit_exceeded', 'This resource is locked by another request. Please retry.'),
  inFlight: () =>
    resendError(
      409,
      'concurrent_idempotent_requests',
      'Same idempotency key used while original request is still in progress.',
    ),
  rejected: () => resendError(422, 'validation_error', 'We found an error with one or more fields in the request.'),
  mismatch: () =>
    resendError(409, 'invalid_idempotent_request', 'Same idempotency key used with a different request payload.'),
  tooLarge: () => resendError(413, 'validation_error', 'Request body is too large.'),
} satisfies ProviderErrors;

/**
 * Resend has many more endpoints. A 404 or 405 would say that it has not, so the status and the name are the sandbox's
 * own, in Resend's shape: the official client hands them on as they are.
 */
export const notModelled = (method: string, path: string): Answer =>
  resendError(
    501,
    'not_implemented',
    `The sandbox does not model ${method} ${path}: of Resend it has POST /emails and GET /emails/:id.`,
  );

/** What a stored 500 says; it does not tell whether the mail went out. */
export const internalServerError = (): Answer =>
  resendError(500, 'internal_server_error', 'An unexpected error occurred.');
