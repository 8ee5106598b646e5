import { parse } from 'qs';
import { invalidRequest } from './errors.js';

/** Parameters as parsed, before anybody knows their types. `a[0]=x` is a tree with the name `0`. */
export type Branch = string | Tree | Branch[];
export interface Tree {
  [name: string]: Branch;
}

/** A PaymentIntent with 50 metadata entries stays under 100; qs by itself would drop what is above, silently. */
const parameterLimit = 1000;

/** `expand`, `metadata` and addresses need three levels. */
const depth = 10;

/**
 * Reads `application/x-www-form-urlencoded` text.
 *
 * Each option is there for a hazard: without `plainObjects` qs drops a metadata name such as `constructor`, with
 * arrays it turns `metadata[0]` into a list and loses the name, and without the strict limits it cuts in silence, so
 * that two different requests look the same to the idempotency layer.
 */
export function parseForm(text: string): Tree {
  try {
    return parse(text, {
      plainObjects: true,
      parseArrays: false,
      duplicates: 'last',
      parameterLimit,
      throwOnLimitExceeded: true,
      depth,
      strictDepth: true,
      decoder: decodeSafely,
    }) as Tree;
  } catch (error) {
    if (error instanceof RangeError) throw invalidRequest(`Invalid request: ${error.message}`);
    throw error;
  }
}

function decodeSafely(text: string, decode: (text: string) => string, _charset: string, type: 'key' | 'value'): string {
  const decoded = decode(text);
  if (decoded.includes('\0')) throw invalidRequest('Invalid request: parameters may not contain a null byte.');
  // The one name that qs never keeps; to lose a metadata entry without a word would be worse than to refuse it.
  if (type === 'key' && (decoded.includes('[__proto__]') || decoded.startsWith('__proto__'))) {
    throw invalidRequest('Invalid request: __proto__ cannot be the name of a parameter.');
  }
  return decoded;
}
