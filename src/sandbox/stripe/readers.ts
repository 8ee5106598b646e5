import { invalidRequest } from './errors.js';
import type { Branch, Tree } from './form.js';
import { optional, readParameters, type Reader, type Shape, type Values } from './parameters.js';

/** The specification's `maxLength` for most strings. */
const longestText = 5000;

/** How much of a wrong value is repeated to the caller. */
const shownLength = 50;

const shown = (value: Branch): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, shownLength);

export function text(maxLength = longestText): Reader<string> {
  return (value, param) => {
    if (typeof value !== 'string') throw invalidRequest(`Invalid string: ${shown(value)}`, { param });
    if (value.length <= maxLength) return value;
    const message = `Invalid string: ${shown(value)}…; must be at most ${maxLength} characters`;
    throw invalidRequest(message, { code: 'parameter_invalid_string', param });
  };
}

/** The specification's limit for a customer's address. */
const longestEmail = 512;

export const email: Reader<string> = (value, param) => {
  const address = text(longestEmail)(value, param);
  if (/^\S+@\S+\.\S+$/.test(address)) return address;
  throw invalidRequest(`Invalid email address: ${address}`, { code: 'email_invalid', param });
};

/** Apps have schemes of their own, so any will do. */
export const url: Reader<string> = (value, param) => {
  const address = text()(value, param);
  if (URL.canParse(address)) return address;
  throw invalidRequest('Not a valid URL', { code: 'url_invalid', param });
};

export const integer: Reader<number> = (value, param) => {
  if (typeof value === 'string' && /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value))) return Number(value);
  throw invalidRequest(`Invalid integer: ${shown(value)}`, { code: 'parameter_invalid_integer', param });
};

export const positiveInteger: Reader<number> = (value, param) => {
  const number = integer(value, param);
  if (number >= 1) return number;
  throw invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param });
};

export const boolean: Reader<boolean> = (value, param) => {
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidRequest(`Invalid boolean: ${shown(value)}`, { param });
};

export function oneOf<const T extends string>(...choices: T[]): Reader<T> {
  return (value, param) => {
    const choice = choices.find((candidate) => candidate === value);
    if (choice !== undefined) return choice;
    throw invalidRequest(`Invalid ${param}: must be one of ${choices.join(', ')}`, { param });
  };
}

export function hash<S extends Shape>(shape: S): Reader<Values<S>> {
  return (value, param) => readParameters(tree(value, param), shape, param);
}

/** `a[0]=x&a[1]=y` in the order of the indices. */
export function listOf<T>(read: Reader<T>): Reader<T[]> {
  return (value, param) => {
    const items = Object.entries(tree(value, param, 'array'));
    if (items.some(([index]) => !/^\d+$/.test(index))) throw invalidRequest('Invalid array', { param });
    return items.sort(([a], [b]) => Number(a) - Number(b)).map(([index, item]) => read(item, `${param}[${index}]`));
  };
}

export function tree(value: Branch, param: string, noun = 'object'): Tree {
  if (typeof value === 'object') return value;
  throw invalidRequest(`Invalid ${noun}`, { param });
}

/** `created=1` or `created[gte]=1&created[lt]=2`. */
export interface TimeRange {
  gt?: number | undefined;
  gte?: number | undefined;
  lt?: number | undefined;
  lte?: number | undefined;
}

const bounds = { gt: optional(integer), gte: optional(integer), lt: optional(integer), lte: optional(integer) };

export const timeRange: Reader<TimeRange> = (value, param) => {
  if (typeof value !== 'string') return hash(bounds)(value, param);
  const instant = integer(value, param);
  return { gte: instant, lte: instant };
};
