import { utf8ToBytes } from '@noble/hashes/utils.js';

/** Temporal's own limit on ids. */
const maximumBytes = 1000;

/** Why `id` cannot be a plan's workflow id, or undefined if it can. */
export function workflowIdFault(id: string): string | undefined {
  if (id.length === 0) return 'must not be empty';
  if (/\p{Surrogate}/u.test(id)) return 'must be valid Unicode';
  if (/\p{Cc}/u.test(id)) return 'must not contain control characters';
  if (id.trim() !== id) return 'must not begin or end with a blank';
  const { length } = utf8ToBytes(id);
  if (length > maximumBytes) return `must be at most ${maximumBytes} bytes of UTF-8, is ${length}`;
  return undefined;
}
