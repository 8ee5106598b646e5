import Stripe from 'stripe';

export interface StripeSettings {
  secretKey: string;
  /** e.g. `http://127.0.0.1:4011`; absent means Stripe itself. */
  apiBase?: URL;
}

/**
 * Temporal is the only retrier, so the client's own retries are off. Stripe's fetch client is used because its default
 * one counts only idle time (an answer that drips never times out) and silently repeats a request after a reset socket.
 */
export function createStripe({ secretKey, apiBase }: StripeSettings): Stripe {
  return new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: 0,
    telemetry: false,
    ...(apiBase
      ? {
          protocol: apiBase.protocol === 'http:' ? 'http' : 'https',
          host: apiBase.hostname,
          port: apiBase.port || (apiBase.protocol === 'http:' ? 80 : 443),
        }
      : {}),
  });
}
