import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlan, validatePlan } from '../../src/plan/plan.js';
import { validatePolicy } from '../../src/plan/policy.js';
import { charge, email, planRefusal, refund, refusal } from './plans.js';

const card = '4242424242424242';
const cardMessage = 'looks like a card number; card numbers may not travel in a plan';
const planWith = (text: string): unknown => ({ steps: [email({ text })] });

describe('a card number is found however it is written', () => {
  it.each([
    ['plain', card],
    ['in a sentence', `Charge card ${card}, please.`],
    ['glued to letters', `card${card}exp1234`],
    ['in groups', '4242 4242 4242 4242'],
    ['in groups, two blanks apart', '4242  4242  4242  4242'],
    ['in groups, by lines', '4242\n4242\n4242\n4242'],
    ['with dashes', '4242-4242-4242-4242'],
    ['with long dashes and blanks', '4242 – 4242 – 4242 – 4242'],
    ['with dots', '4242.4242.4242.4242'],
    ['with no-break spaces', '4242\u00a04242\u00a04242\u00a04242'],
    ['in full-width digits', '４２４２４２４２４２４２４２４２'],
    ['with invisible characters', '4242\u200b4242\u200d4242\u00ad4242'],
    ['in groups of four and eight', '4242 42424242 4242'],
    ['in pairs', '42 42 42 42 42 42 42 42'],
    ['digit by digit', '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2'],
    ['in groups, each set apart in another way', '4242-4242 4242.4242'],
    ['in Arabic-Indic digits', '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢'],
    ['Amex', '378282246310005'],
    ['Amex in its groups', '3782 822463 10005'],
    ['Diners in its groups', '3056 930902 5904'],
    ['Mastercard of the 2 series', '2223003122003222'],
    ['19 digits', '6205500000000000004'],
    ['19 digits in groups', '6205 5000 0000 0000 004'],
    ['12 digits', '501800000009'],
    ['after another number', `1042 ${card}`],
  ])('%s', (_, text) => {
    expect(planRefusal(planWith(text))).toBe(`plan: steps[0].args.text: ${cardMessage}`);
  });
});

describe('a card number is found wherever a string can stand, and never repeated', () => {
  it.each<[string, unknown, string]>([
    ['goal', { goal: `Charge ${card}`, steps: [charge()] }, 'goal'],
    ['id', { steps: [charge({}, { id: `p${card}` })] }, 'steps[0].id'],
    ['description', { steps: [charge({ description: card })] }, 'steps[0].args.description'],
    ['payment method', { steps: [charge({ payment_method: card })] }, 'steps[0].args.payment_method'],
    ['value of metadata', { steps: [charge({ metadata: { a: 'b', note: card } })] }, 'steps[0].args.metadata.note'],
    [
      'name of metadata',
      { steps: [charge({ metadata: { [card]: 'x' } })] },
      'steps[0].args.metadata: the name of a field',
    ],
    ['name of a field', { steps: [{ ...charge(), [card]: 1 }] }, 'steps[0]: the name of a field'],
    ['reference', { steps: [charge(), refund({ charge: card })] }, 'steps[1].args.charge'],
    ['recipient', { steps: [email({ to: `${card}@x.test` })] }, 'steps[0].args.to'],
    ['subject', { steps: [email({ subject: card })] }, 'steps[0].args.subject'],
    [
      'unknown field, deep inside',
      { steps: [charge({ extra: [{ card: [card] }] })] },
      'steps[0].args.extra[0].card[0]',
    ],
    ['number', { steps: [charge({ amount: Number(card) })] }, 'steps[0].args.amount: must be at most'],
    [
      'reference by number',
      { steps: [charge(), refund({ charge: Number(card) })] },
      'steps[1].args.charge: names a step',
    ],
  ])('%s', (_, plan, start) => {
    const message = planRefusal(plan);
    expect(message).toContain(`plan: ${start}`);
    expect(message.replace(/\D/g, '')).not.toContain('4242');
  });

  it('in a policy too, which travels with the plan', () => {
    expect(refusal(() => validatePolicy({ recipients: [card] }))).toBe(`policy: recipients[0]: ${cardMessage}`);
  });
});

describe('what only looks like a number of a card is let through', () => {
  it.each([
    ['a number that fails the check digit', '4242424242424241'],
    ['an order', 'order 1042'],
    ['Date.now()', '1789993845000 1789993845003 1789993845006'],
    ['microseconds and nanoseconds', '1789993845000000 1789993845000000000'],
    ['a telephone number', '+1 (555) 123-4567, +44 20 7946 0958'],
    ['ISO dates', '2026-09-21T12:30:45.123Z 2026-09-21 20260921T123045Z'],
    ['20 digits', '42424242424242424242'],
    ['a PaymentIntent', 'pi_3MtwBwLkdIwHu7ix28a3tqPa'],
    ['a list of amounts', '2500, 1000, 4000, 5000'],
  ])('%s', (_, text) => {
    expect(() => validatePlan(planWith(text))).not.toThrow();
  });

  const everyTenth = Array.from({ length: 10 }, (_, digit) => String(digit));

  it('a date and time written as one number, whatever its last digit', () => {
    for (const digit of everyTenth) expect(() => validatePlan(planWith(`2026092112304${digit}`))).not.toThrow();
    for (const digit of everyTenth) expect(() => validatePlan(planWith(`20260921123${digit}`))).not.toThrow();
  });

  it('a UUID, also one whose last group is digits', () => {
    for (const digit of everyTenth) {
      expect(() => validatePlan(planWith(`550e8400-e29b-41d4-a716-44665544000${digit}`))).not.toThrow();
    }
    fc.assert(fc.property(fc.uuid(), (uuid) => void validatePlan(planWith(uuid))));
  });
});

describe('what no field may have', () => {
  it.each<[string, string, string]>([
    ['a lone surrogate', '"\\ud83d"', 'must be valid Unicode'],
    ['NUL', '"a\\u0000b"', 'must not contain NUL characters'],
  ])('%s', (_, value, fault) => {
    const text = JSON.stringify({ steps: [email()] });
    expect(refusal(() => parsePlan(text.replace('"Thank you."', value)))).toBe(`plan: steps[0].args.text: ${fault}`);
    const asName = text.replace('"subject"', `${value}:1,"subject"`);
    expect(refusal(() => parsePlan(asName))).toBe(`plan: steps[0].args: the name of a field ${fault}`);
  });

  it.each(['steps', 'args', 'metadata'])('a field named __proto__, in %s', (where) => {
    const text = JSON.stringify({ steps: [charge({ metadata: { order: '1' } })] });
    const poisoned = text.replace(new RegExp(`("${where}":\\[?{)`), '$1"__proto__":"x",');
    expect(refusal(() => parsePlan(poisoned))).toContain('the name of a field is __proto__');
  });

  it('__proto__ in a policy, where it would be a limit that does not count', () => {
    const json: unknown = JSON.parse('{"limits":{"__proto__":5}}');
    expect(refusal(() => validatePolicy(json))).toContain('policy: limits: the name of a field is __proto__');
  });
});
