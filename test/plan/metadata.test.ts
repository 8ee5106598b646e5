import { describe, expect, it } from 'vitest';
import { parsePlan, validatePlan } from '../../src/plan/plan.js';
import type { StepOf } from '../../src/plan/plan-schema.js';
import { charge, planRefusal } from './plans.js';

const withMetadata = (metadata: unknown): unknown => ({ steps: [charge({ metadata })] });
const entries = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name_${index}`, 'value']));

describe('metadata', () => {
  it('leaves room for the three entries that the plan adds itself', () => {
    expect(() => validatePlan(withMetadata(entries(47)))).not.toThrow();
    for (const count of [48, 50, 51]) {
      expect(planRefusal(withMetadata(entries(count)))).toContain(
        'plan: steps[0].args.metadata: may have at most 47 entries',
      );
    }
  });

  it('may use all of what Stripe allows', () => {
    const metadata = { ['n'.repeat(40)]: 'v'.repeat(500), 'a b.c': '', Plan_x: 'x', planet: 'x', '1': 'x' };
    expect(() => validatePlan(withMetadata(metadata))).not.toThrow();
  });

  const longName = 'n'.repeat(41);

  it.each<[string, unknown, string]>([
    ['a name of ours', { plan_x: 'a' }, '.plan_x: names beginning with "plan_" are reserved'],
    ['our key', { plan_key: 'a' }, '.plan_key: names beginning with "plan_" are reserved'],
    ['an empty name', { '': 'a' }, '[""]: name must have 1 to 40 characters'],
    ['41 characters as name', { [longName]: 'a' }, `.${longName}: name must have 1 to 40 characters`],
    ['501 characters as value', { a: 'x'.repeat(501) }, '.a: must be at most 500 characters'],
    ['a bracket', { 'a]': 'x' }, '["a]"]: name must not contain square brackets'],
    ['brackets', { 'a[0]': 'x' }, '["a[0]"]: name must not contain square brackets'],
    ['a line feed in the name', { 'a\n': 'x' }, '["a\\n"]: name must not contain control characters'],
    ['an array as value', { a: ['x'] }, '.a: must be a text'],
    ['a number as value', { a: 1 }, '.a: must be a text'],
    ['null as value', { a: null }, '.a: must be a text'],
    ['an array', ['x'], ': must be an object'],
    ['a string', 'x', ': must be an object'],
  ])('may not have %s', (_, metadata, fault) => {
    expect(planRefusal(withMetadata(metadata))).toBe(`plan: steps[0].args.metadata${fault}`);
  });

  it('keeps names that objects have of their own', () => {
    const names = '{"constructor":"a","toString":"b","hasOwnProperty":"c","__proto":"d"}';
    const text = JSON.stringify({ steps: [charge({ metadata: {} })] }).replace('"metadata":{}', `"metadata":${names}`);
    const { metadata } = (parsePlan(text).steps[0] as StepOf<'charge'>).args;
    expect(JSON.stringify(metadata)).toBe(names);
  });
});
