import type { ServiceAnswer, ServiceRequest, ServiceResponse } from '../service.js';
import type { Answer } from './idempotency.js';
import { defaultVersion } from './resources.js';

/** From here on an answer says that asking again is of no use: it is saved, and would only be replayed. */
const firstServerError = 500;

/**
 * The headers by which a client can tell a replay: `Idempotent-Replayed`, and an `Original-Request` that is not this
 * `Request-Id` (https://docs.stripe.com/error-low-level).
 */
export function responseTo(
  request: ServiceRequest,
  requestId: string,
  answer: ServiceAnswer,
  done: Answer & { originalRequest?: string },
): ServiceResponse {
  const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Request-Id': requestId,
    'Stripe-Version': String(request.headers['stripe-version'] ?? defaultVersion),
  };
  if (key !== undefined) headers['Idempotency-Key'] = String(key);
  if (done.originalRequest !== undefined) headers['Original-Request'] = done.originalRequest;
  if (answer === 'replayed') headers['Idempotent-Replayed'] = 'true';
  if (done.status >= firstServerError) headers['Stripe-Should-Retry'] = 'false';
  if (done.status === 429) headers['Stripe-Rate-Limited-Reason'] = 'global-rate';
  return { status: done.status, headers, body: done.body, answer };
}
