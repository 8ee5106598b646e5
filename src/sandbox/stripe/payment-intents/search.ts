import { endpoint } from '../endpoint.js';
import { invalidRequest } from '../errors.js';
import { checkLimit } from '../pages.js';
import { optional, required, type Reader } from '../parameters.js';
import { positiveInteger, text } from '../readers.js';
import { parseQuery, type Predicate } from '../search/query.js';

const query: Reader<Predicate> = (value, param) => parseQuery(text()(value, param));

/** A page is named by the last hit before it; only the sandbox needs to understand the token. */
const page: Reader<number> = (value, param) => {
  const sequence = Number(Buffer.from(text()(value, param), 'base64url').toString());
  if (Number.isSafeInteger(sequence)) return sequence;
  throw invalidRequest('Invalid page token.', { param });
};

const tokenAfter = (sequence: number): string => Buffer.from(String(sequence)).toString('base64url');

export const searchIntents = endpoint({
  method: 'GET',
  path: '/v1/payment_intents/search',
  resource: 'payment_intent',
  list: 'search_result',
  parameters: { limit: optional(positiveInteger), page: optional(page), query: required(query) },
  check: ({ limit }) => void checkLimit(limit),
  execute({ search, params, expand }) {
    const hits = search(params.query);
    const rest = hits.filter(({ sequence }) => sequence < (params.page ?? Infinity));
    const shown = rest.slice(0, checkLimit(params.limit));
    const last = shown.at(-1);
    const has_more = rest.length > shown.length;
    return {
      object: 'search_result',
      data: shown.map(({ intent }) => intent),
      has_more,
      next_page: has_more && last ? tokenAfter(last.sequence) : null,
      ...(expand.includes('total_count') && { total_count: hits.length }),
      url: '/v1/payment_intents/search',
    };
  },
});
