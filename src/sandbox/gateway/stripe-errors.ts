import type { ServiceRequest } from '../service.js';
import { invalidRequest, StripeError } from '../stripe/errors.js';
import { keyInUse, otherParameters } from '../stripe/idempotency-errors.js';
import { newId } from '../stripe/ids.js';
import { tooManyRequests } from '../stripe/rate-limit.js';
import { refusal } from '../stripe/response.js';
import type { Answer } from './exchange.js';
import type { ProviderErrors } from './provider-errors.js';

/** A client must not be able to tell these from the service's own: the same words, and the same headers for a key. */
const answer = (request: ServiceRequest, error: StripeError): Answer => refusal(request, newId.request(), error);

const keyOf = ({ headers }: ServiceRequest): string => String(headers['idempotency-key'] ?? '');

const locked = {
  type: 'invalid_request_error',
  code: 'lock_timeout',
  message:
    'This object cannot be accessed right now because another API request or Stripe process is currently accessing ' +
    'it. If you see this error intermittently, retry the request.',
} as const;

const tooLarge = { type: 'invalid_request_error', message: 'Request body is too large.' } as const;

export const stripeErrors: ProviderErrors = {
  rateLimit: (request) => answer(request, new StripeError(429, tooManyRequests)),
  rateLimitAs400: (request) => answer(request, new StripeError(400, tooManyRequests)),
  lockTimeout: (request) => answer(request, new StripeError(429, locked)),
  inFlight: (request) => answer(request, keyInUse(keyOf(request))),
  rejected: (request) => answer(request, invalidRequest('The request was not accepted.')),
  mismatch: (request) => answer(request, otherParameters(keyOf(request))),
  tooLarge: (request) => answer(request, new StripeError(413, tooLarge)),
};
