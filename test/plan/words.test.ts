import { expect, it } from 'vitest';
import { charge, email, planRefusal, refund } from './plans.js';

it.each([
  [
    'an argument that is missing',
    { steps: [charge({ amount: undefined })] },
    'steps[0].args.amount: must be an integer',
  ],
  ['a text that is missing', { steps: [email({ subject: undefined })] }, 'steps[0].args.subject: is missing'],
  ['an empty text', { steps: [email({ subject: '' })] }, 'steps[0].args.subject: must not be empty'],
  [
    'a text that is too long',
    { steps: [charge({ description: 'x'.repeat(1001) })] },
    'steps[0].args.description: must be at most 1000 characters long',
  ],
  [
    'a word that is none of these',
    { steps: [charge(), refund({ charge: 0, reason: 'mood' })] },
    'steps[1].args.reason: must be "duplicate" or "fraudulent" or "requested_by_customer"',
  ],
  ['a yes that is a text', { steps: [{ ...charge(), approval: 'yes' }] }, 'steps[0].approval: must be true or false'],
])('%s is told in words of our own', (_, plan, line) => {
  expect(planRefusal(plan)).toContain(`plan: ${line}`);
});
