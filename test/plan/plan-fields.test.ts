import { describe, expect, it } from 'vitest';
import { parsePlan, validatePlan } from '../../src/plan/plan.js';
import { charge, chargeArgs, email, planRefusal, refund, refusal } from './plans.js';

const integer = 'must be an integer in the smallest unit of the currency';
const unicodeText = 'Grüße an 注文, 👨‍👩‍👧 and שלום';

describe('a plan that is right is taken as it was written', () => {
  it.each<[string, unknown]>([
    ['the smallest one', { steps: [charge()] }],
    [
      'every field',
      {
        goal: 'Charge Ada\nand mail the receipt',
        onFailure: 'undo',
        steps: [
          charge(
            { description: 'Order 1042', metadata: { order: '1042', empty: '' } },
            { id: 'payment', approval: true },
          ),
          refund({ charge: 'payment', amount: 1000, reason: 'requested_by_customer' }, { id: 'p2' }),
          email({ subject: unicodeText, text: 'Two\nlines\tand a tab' }, { approval: false }),
          { tool: 'lookup_charge', args: { charge: 0 } },
        ],
      },
    ],
    ['two identical steps', { steps: [charge(), charge(), email(), email()] }],
    ['a source and a card as payment methods', { steps: [charge({ payment_method: 'card_1Ab' })] }],
    ['1,000 steps', { steps: Array.from({ length: 1000 }, () => email()) }],
  ])('%s', (_, plan) => {
    const copy = structuredClone(plan);
    expect(validatePlan(plan)).toBe(plan);
    expect(plan).toEqual(copy);
  });

  it('1e3 is the integer 1000', () => {
    const text = JSON.stringify({ steps: [charge()] }).replace('2500', '1e3');
    expect(parsePlan(text).steps[0]).toHaveProperty('args.amount', 1000);
  });
});

describe('the amount', () => {
  it.each([
    ['0', 'must be at least 1'],
    ['-100', 'must be at least 1'],
    ['1000.4', integer],
    ['7840.000000000001', integer],
    ['1998.9999999999998', integer],
    ['"25.00"', integer],
    ['null', integer],
    ['[2500]', integer],
    ['9007199254740993', integer],
    ['1e400', integer],
    ['49', 'must be at least 50 ($0.50)'],
    ['100000000', 'must be at most 99999999'],
  ])('%s is refused', (amount, message) => {
    const text = JSON.stringify({ steps: [email(), charge()] }).replace('2500', amount);
    const refused = refusal(() => parsePlan(text));
    expect(refused).toContain(`plan: steps[1].args.amount: ${message}`);
    expect(refused).not.toContain('more');
  });

  it('is refused if it is no number at all', () => {
    expect(planRefusal({ steps: [charge({ amount: NaN })] })).toContain(`steps[0].args.amount: ${integer}`);
    expect(planRefusal({ steps: [charge({ amount: Infinity })] })).toContain(`steps[0].args.amount: ${integer}`);
  });

  it.each([
    [5, 'jpy'],
    [29, 'gbp'],
    [550, 'isk'],
    [1005, 'kwd'],
  ])('%d is refused in %s', (amount, currency) => {
    expect(planRefusal({ steps: [charge({ amount, currency })] })).toMatch(/^plan: steps\[0\]\.args\.amount: must/);
  });

  it('of a refund is a whole, positive one too', () => {
    for (const amount of [0, -1, 0.5, '10', 100_000_000]) {
      expect(planRefusal({ steps: [charge(), refund({ charge: 0, amount })] })).toContain('steps[1].args.amount: ');
    }
  });
});

describe('the fault is named with its path', () => {
  const without = (name: keyof typeof chargeArgs): unknown =>
    Object.fromEntries(Object.entries(chargeArgs).filter(([field]) => field !== name));

  it.each<[string, unknown, string]>([
    ['no object', [], 'plan: must be an object'],
    ['null', null, 'plan: must be an object'],
    ['a string', 'charge Ada', 'plan: must be an object'],
    ['no steps', { goal: 'x' }, 'plan: steps: '],
    ['empty steps', { steps: [] }, 'plan: steps: must have at least one step'],
    [
      '1,001 steps',
      { steps: Array.from({ length: 1001 }, () => email()) },
      'plan: steps: must have at most 1000 steps',
    ],
    [
      '10,000 steps',
      { steps: Array.from({ length: 10_000 }, () => ({})) },
      'plan: steps: must have at most 1000 steps',
    ],
    ['an unknown field', { steps: [charge()], request_id: 'r-1' }, 'plan: request_id: is not a known field'],
    ['a wrong onFailure', { steps: [charge()], onFailure: 'retry' }, 'plan: onFailure: '],
    ['a goal that is none', { steps: [charge()], goal: '' }, 'plan: goal: '],
    ['a step that is none', { steps: [charge(), null] }, 'plan: steps[1]: must be an object'],
    [
      'no tool',
      { steps: [{ args: {} }] },
      'plan: steps[0].tool: must be one of "charge", "refund", "email", "lookup_charge"',
    ],
    ['an unknown tool', { steps: [charge(), charge({}, { tool: 'transfer' })] }, 'plan: steps[1].tool: must be one of'],
    ['no args', { steps: [{ tool: 'email' }] }, 'plan: steps[0].args: '],
    [
      'an agent that brings a tool_call_id',
      { steps: [charge({}, { tool_call_id: 'c1' })] },
      'plan: steps[0].tool_call_id: is not a known field',
    ],
    [
      'an agent that brings a key',
      { steps: [charge({ idempotency_key: 'k' })] },
      'plan: steps[0].args.idempotency_key: is not a known field',
    ],
    ['an approval that is no boolean', { steps: [charge({}, { approval: 'yes' })] }, 'plan: steps[0].approval: '],
    ['no amount', { steps: [{ tool: 'charge', args: without('amount') }] }, `plan: steps[0].args.amount: ${integer}`],
    ['no currency', { steps: [{ tool: 'charge', args: without('currency') }] }, 'plan: steps[0].args.currency: '],
    [
      'no payment method',
      { steps: [{ tool: 'charge', args: without('payment_method') }] },
      'plan: steps[0].args.payment_method: ',
    ],
    [
      'a currency in capitals',
      { steps: [charge({ currency: 'USD' })] },
      'plan: steps[0].args.currency: must be a three-letter',
    ],
    [
      'a currency with a line feed',
      { steps: [charge({ currency: 'usd\n' })] },
      'plan: steps[0].args.currency: must be a three-letter',
    ],
    [
      'a payment method that is none',
      { steps: [charge({ payment_method: 'tok_visa' })] },
      'plan: steps[0].args.payment_method: must be the id',
    ],
    [
      'a description that is too long',
      { steps: [charge({ description: 'x'.repeat(1001) })] },
      'plan: steps[0].args.description: ',
    ],
    [
      'a refund of nothing',
      { steps: [charge(), refund({})] },
      'plan: steps[1].args.charge: must be the id or the index',
    ],
    [
      'a reason that Stripe has not',
      { steps: [charge(), refund({ charge: 0, reason: 'because' })] },
      'plan: steps[1].args.reason: ',
    ],
    ['no recipient', { steps: [email({ to: undefined })] }, 'plan: steps[0].args.to: '],
    ['several recipients as a list', { steps: [email({ to: ['a@x.test', 'b@x.test'] })] }, 'plan: steps[0].args.to: '],
    ['no subject', { steps: [email({ subject: '' })] }, 'plan: steps[0].args.subject: '],
    [
      'a subject longer than a header line',
      { steps: [email({ subject: 'x'.repeat(999) })] },
      'plan: steps[0].args.subject: ',
    ],
    ['no text', { steps: [email({ text: '' })] }, 'plan: steps[0].args.text: '],
  ])('%s', (_, plan, start) => {
    const message = planRefusal(plan);
    expect(message.slice(0, start.length)).toBe(start);
    expect(message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
  });
});

describe('ids of steps', () => {
  it.each(['1', '1a', '_a', 'a b', 'a.b', '', 'é', 'a\n', 'x'.repeat(101)])('%j is refused', (id) => {
    expect(planRefusal({ steps: [charge(), charge({}, { id })] })).toContain('plan: steps[1].id: ');
  });

  it('may be used once', () => {
    const steps = [charge({}, { id: 'pay' }), charge({}, { id: 'pay_2' }), charge({}, { id: 'pay' })];
    expect(planRefusal({ steps })).toBe('plan: steps[2].id: is used by an earlier step');
    expect(() => validatePlan({ steps: [...steps.slice(0, 2), charge({}, { id: 'PAY' })] })).not.toThrow();
  });
});
