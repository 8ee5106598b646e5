import type { Fault } from './input-error.js';
import { formatPath } from './json-path.js';

/**
 * Card numbers have 12 (Maestro) to 19 digits and begin with 22 to 27 or 3 to 6, so a date or a time does not look like
 * one; set in groups, they are 4-4-4-4(-3), 4-6-5 or 4-6-4.
 */
const cardNumberShape =
  /(?<!\d)(?=2[2-7]|[3-6])(?:\d{12,19}|\d{4}([\s.\-_/]{0,3})(?:\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{6}\1\d{4,5}))(?!\d)/g;

/** Its last group may be twelve digits by chance. */
const uuid = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;

/** Deeper than any plan or policy: a hostile document must not exhaust the stack. */
const maximumDepth = 16;

/** Luhn's check digit: every real card number passes it, and one in ten other numbers. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function hidesCardNumber(text: string): boolean {
  // NFKC turns full-width digits into ASCII ones; dashes and blanks of all kinds count as separators, invisible ones as nothing.
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}]/gu, '-')
    .replace(/\p{Zs}/gu, ' ')
    .replace(uuid, '');
  return [...plain.matchAll(cardNumberShape)].some(([match]) => passesLuhn(match.replace(/\D/g, '')));
}

function textFault(text: string): string | undefined {
  if (/\p{Surrogate}/u.test(text)) return 'must be valid Unicode';
  if (text.includes('\0')) return 'must not contain NUL characters';
  if (hidesCardNumber(text)) return 'looks like a card number; card numbers may not travel in a plan';
  return undefined;
}

/**
 * Faults no field of a plan may have, wherever it stands: a plan enters the workflow's history for good, so a card
 * number must be found before the start. Looks at names as well as at values, and never repeats what it found.
 */
export function forbiddenValues(json: unknown, path: readonly PropertyKey[] = []): Fault[] {
  if (path.length > maximumDepth) return [{ path: formatPath(path), message: `is nested deeper than ${maximumDepth}` }];
  if (typeof json === 'string') {
    const message = textFault(json);
    return message ? [{ path: formatPath(path), message }] : [];
  }
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    if (Array.isArray(json)) return forbiddenValues(value, [...path, Number(name)]);
    const message = name === '__proto__' ? 'is __proto__, which no two programs read alike' : textFault(name);
    if (message) return [{ path: formatPath(path), message: `the name of a field ${message}` }];
    return forbiddenValues(value, [...path, name]);
  });
}
