import { invalidRequest, type StripeError } from './errors.js';
import { tree } from './readers.js';
import type { Reader } from './parameters.js';

/** https://docs.stripe.com/metadata: up to 50 names of up to 40 characters, values of up to 500. */
const maxEntries = 50;
const maxNameLength = 40;
const maxValueLength = 500;

export type Metadata = Record<string, string>;

const refused = (message: string): StripeError => invalidRequest(message, { param: 'metadata' });

export const metadata: Reader<Metadata> = (value, param) => {
  // No prototype: `constructor` and `toString` are names like any other.
  const entries = Object.create(null) as Metadata;
  for (const [name, entry] of Object.entries(tree(value, param))) {
    if (isLonger(name, maxNameLength)) {
      throw refused(`Invalid key: ${name} must be a string under ${maxNameLength} characters`);
    }
    if (typeof entry !== 'string' || isLonger(entry, maxValueLength)) {
      const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
      throw refused(`Invalid val: ${text} must be a string under ${maxValueLength} characters`);
    }
    entries[name] = entry;
  }
  const kept = Object.values(entries).filter((entry) => entry !== '');
  if (kept.length > maxEntries) throw tooMany(kept.length);
  return entries;
};

/** `metadata[name]=` removes one entry, `metadata=` (null) all of them; entries that are not named stay. */
export function mergeMetadata(present: Metadata, changes: Metadata | null | undefined): Metadata {
  if (changes === null) return {};
  const merged = Object.assign(Object.create(null) as Metadata, present, changes);
  for (const name of Object.keys(merged)) if (merged[name] === '') Reflect.deleteProperty(merged, name);
  const count = Object.keys(merged).length;
  if (count > maxEntries) throw tooMany(count);
  return merged;
}

function tooMany(count: number): StripeError {
  const cure = 'Email us at support+metadata@stripe.com for more information.';
  return refused(`Metadata can have up to ${maxEntries} keys, but you've set ${count}. ${cure}`);
}

/** Characters, not UTF-16 units: an emoji is one. */
function isLonger(text: string, limit: number): boolean {
  return text.length > limit && Array.from(text).length > limit;
}
