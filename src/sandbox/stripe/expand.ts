import { invalidRequest } from './errors.js';
import type { Records } from './records.js';
import type { ResourceType } from './resources.js';

/** Stripe's limit, https://docs.stripe.com/expand */
const maxDepth = 4;

/** Which fields refer to other objects. Those with `null` are expandable at Stripe and always null here. */
const references: Record<ResourceType | 'account', Record<string, ResourceType | null>> = {
  payment_intent: {
    customer: 'customer',
    latest_charge: 'charge',
    payment_method: 'payment_method',
    application: null,
    on_behalf_of: null,
    review: null,
  },
  charge: {
    customer: 'customer',
    payment_intent: 'payment_intent',
    refunds: 'refund',
    application: null,
    application_fee: null,
    balance_transaction: null,
    failure_balance_transaction: null,
    on_behalf_of: null,
    review: null,
    source_transfer: null,
  },
  refund: {
    charge: 'charge',
    customer: 'customer',
    payment_intent: 'payment_intent',
    payment_method: 'payment_method',
    balance_transaction: null,
    source_transfer_reversal: null,
    transfer_reversal: null,
  },
  payment_method: { customer: 'customer' },
  customer: { default_source: null, test_clock: null },
  account: {},
};

/** Fields that hold a list of their own: the way to what is in it leads through `data`. */
const listFields: ReadonlySet<string> = new Set(['refunds']);

/** A path names fields of the answer, or of each item of a list (`data.customer`). Wrong ones never execute. */
export function checkExpand(
  paths: readonly string[],
  resource: ResourceType | 'account',
  list?: 'list' | 'search_result',
): void {
  for (const path of paths) {
    if (path === 'total_count' && list === 'search_result') continue;
    const segments = path.split('.');
    if (segments.length > maxDepth) {
      throw invalidRequest(`You cannot expand more than ${maxDepth} levels of a property. Property: ${path}`, {
        param: 'expand',
      });
    }
    let type: ResourceType | 'account' | null = resource;
    let isList = list !== undefined;
    for (const segment of segments) {
      if (isList && segment !== 'data') throw notExpandable(path);
      if (isList) {
        isList = false;
        continue;
      }
      const fields: Record<string, ResourceType | null> = type ? references[type] : {};
      if (!Object.hasOwn(fields, segment)) throw notExpandable(path);
      type = fields[segment] ?? null;
      isList = listFields.has(segment);
    }
  }
}

const notExpandable = (path: string): Error =>
  invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });

/** Puts objects in the place of their ids. A reference to a deleted customer becomes its stub. */
export function expand(answer: object, paths: readonly string[], records: Records): object {
  return paths.reduce((object, path) => expandPath(object, path.split('.'), records), answer);
}

function expandPath(value: unknown, segments: readonly string[], records: Records): object {
  if (Array.isArray(value)) return value.map((item: unknown) => expandPath(item, segments, records));
  const object = value as Record<string, unknown>;
  const [segment, ...rest] = segments;
  if (segment === undefined) return object;
  const field = resolve(object, segment, records);
  if (typeof field !== 'object' || field === null) return object;
  return { ...object, [segment]: expandPath(field, rest, records) };
}

function resolve(object: Record<string, unknown>, segment: string, records: Records): unknown {
  const value = object[segment];
  // Not there yet: what an earlier path has expanded in it must stay.
  if (segment === 'refunds' && value === null) return records.refundsOf(String(object['id']));
  if (typeof value !== 'string') return value;
  const type = references[object['object'] as ResourceType][segment];
  return type ? (records.find(type, value) ?? records.findRemoved(type, value)) : value;
}
