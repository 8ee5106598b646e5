import { describe, expect, it } from 'vitest';
import { needsApproval, policyFaults } from '../../src/plan/policy-check.js';
import { type Policy, validatePolicy } from '../../src/plan/policy.js';
import { charge, email, planOf, refund } from './plans.js';

const dollars = (amount: number) => charge({ amount });
const faults = (policy: Policy, ...steps: Parameters<typeof planOf>): string[] =>
  policyFaults(planOf(...steps), validatePolicy(policy)).map(({ path, message }) => `${path}: ${message}`);

describe('limits: the sum of the charges of a plan', () => {
  const policy = { limits: { usd: 10_000, jpy: 500 } };

  it('may be reached', () => {
    expect(faults(policy, dollars(4_000), dollars(6_000), charge({ amount: 500, currency: 'jpy' }))).toEqual([]);
  });

  it('may not be passed, and the fault is at the charge that does', () => {
    expect(faults(policy, dollars(9_000), email(), dollars(1_001), dollars(50))).toEqual([
      "steps[2].args.amount: brings the plan's charges to $100.01, the policy allows $100.00",
      "steps[3].args.amount: brings the plan's charges to $100.51, the policy allows $100.00",
    ]);
  });

  it('is of charges: a refund gives no room', () => {
    expect(faults(policy, dollars(9_000), refund({ charge: 0 }), dollars(9_000))).toHaveLength(1);
  });

  it('is kept currency by currency, and a currency that is not listed is refused', () => {
    expect(faults(policy, charge({ currency: 'eur' }), charge({ amount: 501, currency: 'jpy' }))).toEqual([
      "steps[0].args.currency: is eur, which the policy's limits do not list",
      "steps[1].args.amount: brings the plan's charges to ¥501, the policy allows ¥500",
    ]);
  });

  it('is none without limits; empty limits allow no charge; a limit of 0 neither', () => {
    expect(faults({}, dollars(99_999_999))).toEqual([]);
    expect(faults({ limits: {} }, dollars(50))).toHaveLength(1);
    expect(faults({ limits: { usd: 0 } }, dollars(50))).toHaveLength(1);
    expect(faults({ limits: {} }, email())).toEqual([]);
  });
});

it('maxSteps', () => {
  expect(faults({ maxSteps: 2 }, email(), email())).toEqual([]);
  expect(faults({ maxSteps: 2 }, email(), email(), email())).toEqual(['steps: are 3, the policy allows 2']);
});

describe('recipients', () => {
  const isAllowed = (to: string, ...recipients: string[]): boolean =>
    faults({ recipients }, email({ to })).length === 0;

  it.each([
    ['ada@example.com', '*@example.com'],
    ['ADA@Example.COM', '*@example.com'],
    ['ada@example.com', 'Ada@EXAMPLE.com'],
    ['ada+x@example.com', 'ada+*@example.com'],
    ['ada@mail.example.com', '*@*.example.com'],
    ['anyone@any.test', '*@*'],
  ])('%s may be written to by %s', (to, pattern) => {
    expect(isAllowed(to, pattern)).toBe(true);
    expect(isAllowed(to, 'other@x.test', pattern)).toBe(true);
  });

  it.each([
    ['ada@example.com.evil.test', '*@example.com'],
    ['ada@evil-example.com', '*@example.com'],
    ['ada@mail.example.com', '*@example.com'],
    ['ada@examplexcom', '*@example.com'],
    ['adaxb@example.com', 'ada.b@example.com'],
    ['bob@example.com', 'ada@example.com'],
    ['ada@example.com', '*'],
    ['ada@example.com', '(ada|bob)@example.com'],
    ['ada@example.com', '.*@example.com'],
    ['ada@example.com', '[a-z]+@example.com'],
    ['ada@example.com', '^ada@example.com$'],
    ['ada@example.com', 'ada@example.com|x'],
    ['ada@example.com', 'ada@example.com\\'],
    ['a@example.com', 'a?b@example.com'],
  ])('%s may not by %s', (to, pattern) => {
    expect(isAllowed(to, pattern)).toBe(false);
  });

  it.each(['x@evil.test,y@example.com', 'x@evil.test\n@example.com', '"x@evil.test"@example.com'])(
    'a pattern is not met by %j, even if a plan could have it',
    (to) => {
      const [step] = planOf(email()).steps;
      const mail = { ...step, tool: 'email', args: { to, subject: 'x', text: 'x' } } as const;
      expect(policyFaults({ steps: [mail] }, { recipients: ['*@example.com'] })).toHaveLength(1);
    },
  );

  it('are anyone if not given, and nobody if empty; the list is not told', () => {
    expect(faults({}, email())).toEqual([]);
    expect(faults({ recipients: [] }, charge(), email())).toEqual([
      "steps[1].args.to: is not among the policy's recipients",
    ]);
  });
});

describe('a step needs approval', () => {
  const needs = (step: Record<string, unknown>, approveAbove?: Record<string, number>): boolean => {
    const [first] = planOf(step).steps;
    if (!first) throw new Error('no step');
    return needsApproval(first, approveAbove);
  };

  it('strictly above the amount of its currency', () => {
    expect(needs(dollars(5_000), { usd: 5_000 })).toBe(false);
    expect(needs(dollars(5_001), { usd: 5_000 })).toBe(true);
    expect(needs(dollars(50), { usd: 0 })).toBe(true);
    expect(needs(dollars(5_001), { eur: 5_000 })).toBe(false);
    expect(needs(dollars(5_001), {})).toBe(false);
    expect(needs(dollars(5_001))).toBe(false);
  });

  it('if the plan says so, whatever the tool; a plan cannot say that it needs none', () => {
    expect(needs(email({}, { approval: true }))).toBe(true);
    expect(needs(email())).toBe(false);
    expect(needs(charge({ amount: 5_001 }, { approval: false }), { usd: 5_000 })).toBe(true);
  });
});
