import type { ServiceAnswer, ServiceRequest, ServiceResponse } from '../service.js';
import type { StripeError } from './errors.js';
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
  return { status: done.status, headers, body: done.body, answer };
}

/** What never began to execute, whoever refuses it: a limiter in front answers in the same words. */
export function refusal(request: ServiceRequest, requestId: string, error: StripeError): ServiceResponse {
  const response = responseTo(request, requestId, error.answer, errorAnswer(error));
  // The limiter says which limit it was; a lock, also a 429, does not.
  if (error.status !== 429 || error.fields.code !== 'rate_limit') return response;
  return { ...response, headers: { ...response.headers, 'Stripe-Rate-Limited-Reason': 'global-rate' } };
}

/** Stripe's JSON is indented, which people with curl are grateful for. */
export const indentation = 2;

export function errorAnswer(error: StripeError): Answer {
  return { status: error.status, body: JSON.stringify(error.body, null, indentation) };
}
