import Stripe from 'stripe';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import type { Exchange } from './witness.js';

export interface Visit {
  method: string;
  path: string;
  status: number;
  body: Record<string, unknown>;
}

/** The official client on a tour of the sandbox, by its real port; everything that passes is kept for the witness. */
export interface Tour {
  stripe: Stripe;
  visits: Visit[];
  exchanges: Exchange[];
  /** A call that must fail. */
  failing: (call: Promise<unknown>) => Promise<void>;
}

export function startTour(sandbox: Sandbox): Tour {
  const visits: Visit[] = [];
  const exchanges: Exchange[] = [];

  const watched: typeof fetch = async (input, init) => {
    const url = new URL(input);
    const response = await fetch(url, init);
    const answer = await response.clone().text();
    const { method = 'GET' } = init ?? {};
    const { status } = response;
    const exchange = {
      method,
      path: url.pathname,
      query: url.search.slice(1),
      body: (init?.body as string | null) ?? '',
    };
    visits.push({ method, path: url.pathname, status, body: JSON.parse(answer) as Visit['body'] });
    exchanges.push({ ...exchange, status, answer });
    return response;
  };
  const stripe = new Stripe('sk_test_tour', {
    protocol: 'http',
    host: '127.0.0.1',
    port: sandbox.ports.stripe,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(watched),
  });
  return {
    stripe,
    visits,
    exchanges,
    async failing(call) {
      await call.then(
        () => Promise.reject(new Error('the call succeeded')),
        (error: unknown) => {
          if (!(error instanceof Stripe.errors.StripeError)) throw error;
        },
      );
    },
  };
}
