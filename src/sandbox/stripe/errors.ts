import type { Charge, PaymentIntent, PaymentMethod } from './resources.js';

/** The four types there are on the wire; `rate_limit_error` and the like exist only inside client libraries. */
type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

/** https://docs.stripe.com/api/errors: only `type` is always there; what does not apply is left out, never null. */
export interface ErrorFields {
  type: ErrorType;
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: Charge['id'];
  advice_code?: string;
  network_decline_code?: string;
  payment_intent?: PaymentIntent;
  payment_method?: PaymentMethod;
}

/** An answer that is not a success. Thrown before a request executes it is not saved under the key; afterwards it is. */
export class StripeError extends Error {
  override name = 'StripeError';

  constructor(
    readonly status: number,
    readonly fields: ErrorFields,
    readonly answer: 'rejected' | 'in_flight' | 'mismatch' = 'rejected',
  ) {
    super(fields.message);
  }

  get body(): { error: ErrorFields & { doc_url?: string } } {
    const { code } = this.fields;
    const page = code && { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` };
    return { error: { ...this.fields, ...page } };
  }
}

export function invalidRequest(message: string, details: { code?: string; param?: string } = {}): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, ...details });
}

/** 404 where the path names the object, a refund its charge, or a list what to filter by; 400 where another parameter does. */
export function missing(noun: string, id: string, param: string, status: 400 | 404): StripeError {
  const message = `No such ${noun}: '${id}'`;
  return new StripeError(status, { type: 'invalid_request_error', code: 'resource_missing', message, param });
}

/** https://docs.stripe.com/error-codes#payment-intent-unexpected-state */
export function unexpectedState(message: string, intent: PaymentIntent): StripeError {
  const code = 'payment_intent_unexpected_state';
  return new StripeError(400, { type: 'invalid_request_error', code, message, payment_intent: intent });
}

/** What a stored 500 says. It tells nothing about whether the work was done. */
export function serverError(): StripeError {
  const message = 'An unknown error occurred. If you have any questions, we can help at https://support.stripe.com/.';
  return new StripeError(500, { type: 'api_error', message });
}
