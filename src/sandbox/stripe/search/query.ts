import { invalidRequest, type StripeError } from '../errors.js';
import type { PaymentIntent } from '../resources.js';

export type Predicate = (intent: PaymentIntent) => boolean;

type Value = string | number | null;

/** https://docs.stripe.com/search#query-fields-for-payment-intents */
const numeric = new Set(['amount', 'created']);
const textual = new Set(['currency', 'customer', 'status']);

/** "at least 3 characters" */
const shortestSubstring = 3;

/** https://docs.stripe.com/search#search-query-language */
const maxClauses = 10;

const quoted = /(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")/.source;

/** `-`, field, `[name]`, operator, value; then what joins it to the next clause. */
const clause = new RegExp(
  String.raw`\s*(-?)(\w+)(?:\[${quoted}\])?\s*(:|~|>=|<=|>|<)\s*(?:${quoted}|(-?\d+)|(null))` +
    String.raw`(?:\s*$|\s+(?:(AND|OR)\s+)?(?=\S))`,
  'iy',
);

/** Stripe's query language: up to ten clauses joined by AND (or just a blank) or by OR, not both. */
export function parseQuery(query: string): Predicate {
  const predicates: Predicate[] = [];
  const joints = new Set<string>();
  let position = 0;
  do {
    clause.lastIndex = position;
    const match = clause.exec(query);
    if (!match) throw unparsable(query);
    predicates.push(readClause(match));
    position = clause.lastIndex;
    if (position < query.length) joints.add(match.at(-1)?.toUpperCase() ?? 'AND');
  } while (position < query.length);
  if (predicates.length > maxClauses) {
    throw invalidRequest(`A query may have at most ${maxClauses} clauses.`, { param: 'query' });
  }
  if (joints.size > 1) throw invalidRequest('Queries may not mix AND and OR.', { param: 'query' });
  return joints.has('OR')
    ? (intent) => predicates.some((matches) => matches(intent))
    : (intent) => predicates.every((matches) => matches(intent));
}

function readClause(match: RegExpExecArray): Predicate {
  const [, minus, field = '', single, double, operator = ':', singleValue, doubleValue, number, nothing] = match;
  const name = single ?? double;
  if (name !== undefined ? field !== 'metadata' : !numeric.has(field) && !textual.has(field)) {
    throw invalidRequest(`Field \`${field}\` is an unsupported search field for resource \`payment_intents\`.`, {
      param: 'query',
    });
  }
  const value = singleValue ?? doubleValue ?? number;
  const expected = nothing === undefined ? (value?.replace(/\\(.)/g, '$1') ?? '') : null;
  const matches = comparison(operator, expected, numeric.has(field));
  const read = (intent: PaymentIntent): Value => {
    if (name === undefined) return intent[field as 'amount' | 'customer'];
    return Object.hasOwn(intent.metadata, name) ? (intent.metadata[name] ?? null) : null;
  };
  return (intent) => matches(read(intent)) !== (minus === '-');
}

/** Text is compared without regard to case. */
function comparison(operator: string, expected: string | null, isNumber: boolean): (value: Value) => boolean {
  if (expected === null) return (value) => value === null;
  const wanted = expected.toLowerCase();
  const text = (value: Value): string => String(value ?? '').toLowerCase();
  if (operator === ':') return (value) => value !== null && text(value) === wanted;
  if (operator === '~') {
    if (expected.length < shortestSubstring || isNumber) throw unparsable(expected);
    return (value) => text(value).includes(wanted);
  }
  if (!isNumber) throw unparsable(expected);
  const limit = Number(expected);
  const compare: Record<string, (value: number) => boolean> = {
    '>': (value) => value > limit,
    '>=': (value) => value >= limit,
    '<': (value) => value < limit,
    '<=': (value) => value <= limit,
  };
  return (value) => compare[operator]?.(Number(value)) ?? false;
}

const unparsable = (query: string): StripeError =>
  invalidRequest(`We were unable to parse your search query: ${query}`, { param: 'query' });
