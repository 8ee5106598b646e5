import Stripe from 'stripe';
import type { Answer } from './answer.js';
import { type FailedReply, judge } from './provider-failures.js';

/** Waits for a call to Stripe and says what its reply means. Never throws: whatever goes wrong is an answer. */
export async function stripeAnswer<Reply extends object, Result>(
  call: () => Promise<Stripe.Response<Reply>>,
  read: (reply: Reply, replayed: boolean) => Answer<Result>,
): Promise<Answer<Result>> {
  try {
    const reply = await call();
    // With Stripe's fetch client `lastResponse` is the platform's own Response.
    const { headers } = reply.lastResponse as unknown as Response;
    return read(reply, headers.get('idempotent-replayed') === 'true');
  } catch (error) {
    return judge(failedReply(error));
  }
}

/** Stripe resolves on any JSON without an `error`, even on a 404: only what looks like its own object is its word. */
export function notStripesWord(what: string): Answer<never> {
  return judge({ message: `The answer is not ${what}`, replayed: false });
}

/** A failed call to Stripe, in the shape that the table judges. */
export function failedReply(error: unknown): FailedReply {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return { message: error instanceof Error ? error.message : String(error), replayed: false };
  }
  const { statusCode, rawType, code, message, headers } = error;
  const declineCode = error instanceof Stripe.errors.StripeCardError ? error.decline_code : undefined;
  return {
    message,
    replayed: headers?.['idempotent-replayed'] === 'true',
    ...(statusCode === undefined ? {} : { status: statusCode }),
    ...(rawType === undefined ? {} : { type: rawType }),
    ...(code === undefined ? {} : { code }),
    ...(declineCode ? { declineCode } : {}),
    retryAfter: headers?.['retry-after'],
  };
}
