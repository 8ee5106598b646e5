import { randomBytes } from 'node:crypto';
import type { Answer } from './exchange.js';
import type { ProviderErrors } from './provider-errors.js';

interface StripeError {
  type: 'invalid_request_error' | 'idempotency_error';
  code?: string;
  doc_url?: string;
  message: string;
}

function answer(status: number, error: StripeError, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'request-id': `req_${randomBytes(7).toString('hex')}`, ...headers },
    body: JSON.stringify({ error }, null, 2),
  };
}

const rateLimit: StripeError = {
  type: 'invalid_request_error',
  code: 'rate_limit',
  message:
    'Testmode request rate limit exceeded, the rate limits in testmode are lower than livemode. You can learn more about rate limits here https://stripe.com/docs/rate-limits.',
};

export const stripeErrors: ProviderErrors = {
  rateLimit: () => answer(429, rateLimit, { 'stripe-rate-limited-reason': 'global-rate' }),
  rateLimitAs400: () => answer(400, rateLimit),
  lockTimeout: () =>
    answer(429, {
      type: 'invalid_request_error',
      code: 'lock_timeout',
      message:
        'This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request.',
    }),
  inFlight: (key) =>
    answer(409, {
      type: 'invalid_request_error',
      code: 'idempotency_key_in_use',
      doc_url: 'https://stripe.com/docs/error-codes/idempotency-key-in-use',
      message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key ?? ''}. Please try again later.`,
    }),
  rejected: () => answer(400, { type: 'invalid_request_error', message: 'The request was not accepted.' }),
  mismatch: () =>
    answer(400, {
      type: 'idempotency_error',
      message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    }),
  tooLarge: () => answer(413, { type: 'invalid_request_error', message: 'Request body is too large.' }),
};
