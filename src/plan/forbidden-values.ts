import type { Fault } from './input-error.js';
import { formatPath } from './json-path.js';

/** What people set between the digits of a card number. */
const separator = '[\\s.\\-_/]';

/**
 * Card numbers have 12 (Maestro) to 19 digits and begin with 22 to 27 or 3 to 6, so a date or a time does not look like
 * one. Set apart, they are groups of four (or eight), 4-6-5 or 4-6-4, pairs, or single digits.
 */
const cardNumberShape = new RegExp(
  `(?<!\\d)(?=2[2-7]|2${separator}{1,3}[2-7]|[3-6])(?:${[
    '\\d{12,19}',
    `\\d{4}(?:${separator}{0,3}\\d{4}){3}(?:${separator}{0,3}\\d{3})?`,
    `\\d{4}${separator}{0,3}\\d{6}${separator}{0,3}\\d{4,5}`,
    `\\d{2}(?:${separator}{1,3}\\d{2}){6,8}(?:${separator}{1,3}\\d)?`,
    `\\d(?:${separator}{1,3}\\d){12,18}`,
  ].join('|')})(?!\\d)`,
  'g',
);

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

/** Unicode has the ten digits of a script in one row, so the value is how many come before. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

function hidesCardNumber(text: string): boolean {
  // Digits of all scripts count; dashes and blanks of all kinds count as separators, invisible ones as nothing.
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitValue)
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
