import { expect, it } from 'vitest';
import { decisionFault } from '../../src/plan/decision.js';

const decision = { step: 1, key: 'ap1_1_do_x', approve: true };

it.each([
  ['yes', decision],
  ['no, with a note', { ...decision, approve: false, note: 'Too much.\nAsk Bob.' }],
  ['a note that is null', { ...decision, note: null }],
  ['a key whose digits look like a card number', { ...decision, key: 'ap1_1_do_ab4242424242424242cd' }],
  ['a long note', { ...decision, note: 'x'.repeat(998) }],
])('takes %s', (_, input) => {
  expect(decisionFault(input)).toBeUndefined();
});

it.each([
  [
    '"false", which is true to JavaScript',
    { ...decision, approve: 'false' },
    'decision: approve: must be true or false',
  ],
  ['1', { ...decision, approve: 1 }, 'decision: approve: must be true or false'],
  ['no answer', { step: 1, key: 'k' }, 'decision: approve: must be true or false'],
  ['half a step', { ...decision, step: 0.5 }, 'decision: step: must be the index of a step'],
  ['a step by its id', { ...decision, step: 'payment' }, 'decision: step: must be the index of a step'],
  ['no key', { step: 1, approve: true }, 'decision: key: must be the idempotency key of the step'],
  ['a note that is an object', { ...decision, note: { x: 1 } }, 'decision: note: must be a text'],
  ['a book', { ...decision, note: 'x'.repeat(999) }, 'decision: note: must be at most 1000 bytes'],
  ['a book in Chinese', { ...decision, note: '注'.repeat(333) }, 'decision: note: must be at most 1000 bytes'],
  [
    'a card number',
    { ...decision, note: '4242 4242 4242 4242' },
    'decision: note: looks like a card number; card numbers may not travel in a plan',
  ],
])('refuses %s', (_, input, fault) => {
  expect(decisionFault(input)).toBe(fault);
});

it.each([undefined, null, 'yes', []])('refuses what is no decision: %j', (input) => {
  expect(decisionFault(input)).toMatch(/^decision: /);
});
