import Stripe from 'stripe';

export interface StripeSettings {
  secretKey: string;
  /** e.g. `http://127.0.0.1:4011`; absent means Stripe itself. */
  apiBase?: URL;
}

/**
 * Stripe's client never settles on a body that is JSON but no object, such as `"ok"` from something on the way, and the
 * rejection it leaves unhandled would end the process. It reads such a body as one that is no JSON.
 */
const fetchObject: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const read = response.text.bind(response);
  return Object.assign(response, {
    text: async () => {
      const body = await read();
      return /^\s*\{/.test(body) ? body : '';
    },
  });
};

/**
 * Temporal is the only retrier, so the client's own retries are off. Stripe's fetch client is used because its default
 * one counts only idle time (an answer that drips never times out) and silently repeats a request after a reset socket.
 */
export function createStripe({ secretKey, apiBase }: StripeSettings): Stripe {
  return new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(fetchObject),
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
