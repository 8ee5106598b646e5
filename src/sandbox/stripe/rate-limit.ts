import { StripeError } from './errors.js';

const windowMs = 1000;

export interface RateLimit {
  admit(account: string): void;
}

/**
 * So many requests per account and second, whatever they ask (https://docs.stripe.com/rate-limits). It stands in
 * front of the idempotency layer: a 429 is never saved, and a replay counts like any other request.
 */
export function createRateLimit(now: () => number, perSecond: () => number): RateLimit {
  let window = 0;
  const counts = new Map<string, number>();
  return {
    admit(account) {
      const limit = perSecond();
      if (limit === 0) return;
      const current = Math.floor(now() / windowMs);
      if (current !== window) counts.clear();
      window = current;
      const count = (counts.get(account) ?? 0) + 1;
      counts.set(account, count);
      if (count > limit) throw new StripeError(429, tooManyRequests);
    },
  };
}

export const tooManyRequests = {
  type: 'invalid_request_error',
  code: 'rate_limit',
  message:
    'Testmode request rate limit exceeded, the rate limits in testmode are lower than livemode. You can learn more ' +
    'about rate limits here https://stripe.com/docs/rate-limits.',
} as const;
