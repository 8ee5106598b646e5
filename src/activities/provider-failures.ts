import type { Failure, FailureKind } from './answer.js';

/** A provider's reply that is not a success, or the lack of one, in one shape for all providers. */
export interface FailedReply {
  /** HTTP status; absent if none arrived. */
  status?: number;
  /** Stripe's `type`, Resend's `name`; absent if the body was not the provider's own well-formed error. */
  type?: string;
  code?: string;
  declineCode?: string;
  message: string;
  /** The provider said that this is a stored answer. */
  replayed: boolean;
  /** The header `Retry-After`, as it came. */
  retryAfter?: string | undefined;
}

interface Row {
  when: (reply: FailedReply) => boolean;
  kind: FailureKind;
}

const isOneOf = (value: string | undefined, ...names: (string | undefined)[]): boolean => names.includes(value);

/**
 * What each failure means; the first row that fits decides. It goes by status, type and code, never by wording
 * or by a client library's error class. Sources: docs.stripe.com/error-low-level, docs.stripe.com/rate-limits,
 * resend.com/docs/api-reference/errors.
 */
const table: readonly Row[] = [
  // Network error, time-out, cut or unparsable body, a proxy's page: the provider itself said nothing.
  { when: ({ status, type }) => status === undefined || type === undefined, kind: 'ambiguous' },
  // A stored 5xx comes again however often it is asked for.
  { when: ({ status, replayed }) => Number(status) >= 500 && replayed, kind: 'stuck' },
  { when: ({ status }) => Number(status) >= 500, kind: 'ambiguous' },
  // Our key *was* used, with something else: by whom and with what effect, asking cannot tell.
  { when: ({ type }) => isOneOf(type, 'idempotency_error', 'invalid_idempotent_request'), kind: 'stuck' },
  // The first request under the key is still at work; another one holds the object; too many requests at once.
  { when: ({ status }) => status === 409 || status === 429, kind: 'not_now' },
  // The same by name: rate limits have also been seen with status 400.
  { when: ({ code }) => isOneOf(code, 'rate_limit', 'lock_timeout', 'idempotency_key_in_use'), kind: 'not_now' },
  { when: ({ type }) => isOneOf(type, 'rate_limit_exceeded', 'concurrent_idempotent_requests'), kind: 'not_now' },
  // Resend's 403 for an unverified domain is about the message, not about the key: it will not pass by waiting.
  { when: ({ status, type }) => status === 403 && type === 'validation_error', kind: 'refused' },
  // A wrong or expired API key, a missing permission: the operator mends it, the step goes on.
  { when: ({ status }) => status === 401 || status === 403, kind: 'not_now' },
  { when: ({ status, type }) => status === 402 && type === 'card_error', kind: 'declined' },
  // Any other refusal in the provider's own words: validation, wrong state, unknown object.
  { when: ({ status }) => Number(status) >= 400, kind: 'refused' },
];

/** Longer messages say no more, and travel through histories and logs. */
const maximumMessage = 300;

/** No provider asks for more; whatever else a header may say, it must not use up a step's whole time. */
const longestRetryAfter = 3_600_000;

export function judge(reply: FailedReply): Failure {
  const retryAfter = Number(reply.retryAfter) * 1000;
  // A failure with a status that is none is not the provider's word.
  const kind = table.find(({ when }) => when(reply))?.kind ?? 'ambiguous';
  return {
    kind,
    replayed: reply.replayed,
    error: {
      type: reply.type ?? 'no_answer',
      ...(reply.code === undefined ? {} : { code: reply.code }),
      ...(reply.declineCode === undefined ? {} : { decline_code: reply.declineCode }),
      message: withoutSecrets(reply.message).slice(0, maximumMessage),
    },
    ...(retryAfter > 0 ? { retryAfter: Math.min(retryAfter, longestRetryAfter) } : {}),
  };
}

/** Providers quote what they were sent: API keys and anything as long as a card number are taken out. */
function withoutSecrets(message: string): string {
  return message.replace(/\b(?:[srp]k_(?:test|live)_|re_[A-Za-z0-9]+_|Bearer )\S+|\d[\d .-]{10,}\d/g, '[removed]');
}
