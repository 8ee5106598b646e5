import type { z } from 'zod';

const kinds: Record<string, string> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
};

/** What is wrong with a field, in this program's words; zod's own where there are none. For `z.config`. */
export const words: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'too_big':
      return `must ${measure(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'too_small':
      return Number(issue.minimum) === 1 && issue.origin !== 'number'
        ? 'must not be empty'
        : `must ${measure(issue.origin, 'at least', Number(issue.minimum))}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    default:
      return undefined;
  }
};

function measure(origin: string, bound: string, size: number): string {
  if (origin === 'string') return `be ${bound} ${size} characters long`;
  return origin === 'array' ? `have ${bound} ${size} entries` : `be ${bound} ${size}`;
}
