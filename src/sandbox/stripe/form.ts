import { unescaped } from '../text.js';
import { invalidRequest, type StripeError } from './errors.js';

/** Parameters as parsed, before anybody knows their types. `a[]=x` and `a[0]=x` are a tree with the name `0`. */
export type Branch = string | Tree;
export interface Tree {
  [name: string]: Branch;
}

/** A PaymentIntent with 50 metadata entries stays under 100. */
const parameterLimit = 1000;

/** `expand`, `metadata` and addresses need three levels. */
const depth = 10;

/**
 * Reads `application/x-www-form-urlencoded` text.
 *
 * The idempotency layer compares what is read here, so nothing may be moved or taken for something else: two different
 * requests would look the same, and the second would get the answer of the first. What has no place in the tree is
 * refused. Of two equal names the last one counts, for the service as well as for the comparison.
 */
export function parseForm(text: string): Tree {
  const parts = text.split('&').filter((part) => part !== '');
  if (parts.length > parameterLimit) throw unreadable(`there are more than ${parameterLimit} parameters.`);
  const tree = noBranches();
  const lists = new Set<Tree>();
  for (const part of parts) {
    const [first = '', ...rest] = part.split('=');
    const name = decode(first);
    const segments = segmentsOf(name);
    if (put(tree, segments, decode(rest.join('=')), lists)) continue;
    throw unreadable(`${name} is given twice, in ways that do not go together.`, segments[0]);
  }
  return tree;
}

/** No prototype: `constructor` and `toString` are names like any other. */
const noBranches = (): Tree => Object.create(null) as Tree;

/**
 * False where the name already stands for something else. `lists` are the trees made by `a[]`, whose items have no
 * names of their own.
 */
function put(branch: Tree, segments: readonly string[], value: string, lists: Set<Tree>): boolean {
  const [segment = '', ...below] = segments;
  const size = Object.keys(branch).length;
  const isItem = segment === '';
  if (isItem && size === 0) lists.add(branch);
  if (isItem !== lists.has(branch)) return false;
  const name = isItem ? String(size) : segment;
  const present = branch[name];
  if (below.length === 0) {
    branch[name] = value;
    return typeof present !== 'object';
  }
  if (typeof present === 'string') return false;
  return put((branch[name] = present ?? noBranches()), below, value, lists);
}

/** `a[b][c]` is a, b, c. */
function segmentsOf(name: string): string[] {
  const [param = '', ...rest] = name.split('[');
  if (param === '' || param.includes(']') || !rest.every((segment) => /^[^\]]*\]$/.test(segment))) {
    throw unreadable(`'${name}' cannot be the name of a parameter: check its square brackets.`, param);
  }
  if (rest.length > depth) throw unreadable(`depth exceeded: at most ${depth} levels below a parameter.`, param);
  const segments = [param, ...rest.map((segment) => segment.slice(0, -1))];
  if (segments.includes('__proto__')) throw unreadable('__proto__ cannot be the name of a parameter.');
  // The names of metadata are the caller's own, so an item without one would be taken for an entry of the name 0.
  if (param === 'metadata' && segments[1] === '') throw invalidRequest('Invalid object', { param });
  return segments;
}

function decode(text: string): string {
  const decoded = unescaped(text.replaceAll('+', ' '));
  if (decoded.includes('\0')) throw unreadable('parameters may not contain a null byte.');
  return decoded;
}

const unreadable = (message: string, param?: string): StripeError =>
  invalidRequest(`Invalid request: ${message}`, param ? { param } : {});
