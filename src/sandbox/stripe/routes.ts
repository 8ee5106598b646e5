import { retrieveAccount } from './account.js';
import type { Endpoint } from './endpoint.js';
import { StripeError } from './errors.js';
import { createIntent } from './payment-intents/create.js';
import { listIntents, retrieveIntent } from './payment-intents/read.js';

/** Fixed paths stand before those with an `{id}` that would match them too. */
const endpoints: readonly Endpoint[] = [createIntent, listIntents, retrieveIntent, retrieveAccount];

const patterns = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replace('{id}', '([^/]+)')}$`),
}));

export interface Route {
  endpoint: Endpoint;
  id: string;
}

export function route(method: string, path: string): Route {
  for (const { endpoint, pattern } of patterns) {
    const match = endpoint.method === method ? pattern.exec(path) : null;
    if (match) return { endpoint, id: decodeSegment(match[1] ?? '') };
  }
  const message =
    `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at ` +
    'https://support.stripe.com/.';
  throw new StripeError(404, { type: 'invalid_request_error', message });
}

/** An id with a broken escape is nobody's id; it must not bring the process down. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
