import { describe, expect, it } from 'vitest';
import { validatePlan } from '../../src/plan/plan.js';
import { fillIn, referencedIndex } from '../../src/plan/references.js';
import type { StepResult } from '../../src/plan/results.js';
import { charge, email, planOf, planRefusal, refund } from './plans.js';

const payment = charge({}, { id: 'payment' });
const lookup = (charged: unknown) => ({ tool: 'lookup_charge', args: { charge: charged } });

describe('the charge of a refund or of a look-up', () => {
  it.each(['payment', 0, '0'])('may be %j', (reference) => {
    for (const step of [refund({ charge: reference }), lookup(reference)]) {
      expect(() => validatePlan({ steps: [payment, email(), step] })).not.toThrow();
    }
  });

  it.each<[string, unknown, string]>([
    ['itself', 2, 'must name an earlier step'],
    ['itself, by id', 'self', 'must name an earlier step'],
    ['a later charge', 'later', 'must name an earlier step'],
    ['a later index, as digits', '3', 'must name an earlier step'],
    ['an unknown id', 'paymnet', 'names a step that does not exist'],
    ['an id in other letters', 'Payment', 'names a step that does not exist'],
    ['an index beyond the plan', 4, 'names a step that does not exist'],
    ['a property of objects', 'constructor', 'names a step that does not exist'],
    ['an e-mail', 1, 'must name a charge step'],
    ['-1', -1, 'must be the id or the index of an earlier charge step'],
    ['a fraction', 0.5, 'must be the id or the index of an earlier charge step'],
    ['an empty string', '', 'must be the id or the index of an earlier charge step'],
    ['a citation', '{{payment.id}}', 'must be the id or the index of an earlier charge step'],
    ['a PaymentIntent', 'pi.123', 'must be the id or the index of an earlier charge step'],
    ['null', null, 'must be the id or the index of an earlier charge step'],
  ])('may not be %s', (_, reference, fault) => {
    const later = charge({}, { id: 'later' });
    for (const step of [refund({ charge: reference }, { id: 'self' }), { ...lookup(reference), id: 'self' }]) {
      expect(planRefusal({ steps: [payment, email(), step, later] })).toBe(`plan: steps[2].args.charge: ${fault}`);
    }
  });
});

describe('a citation', () => {
  const chargeGives = 'it gives id, status, amount, amount_formatted, currency';

  it.each([
    'Paid {{payment.amount_formatted}} ({{payment.id}}).',
    '{{0.id}}{{0.status}}',
    '{{ payment.currency }}',
    'single { braces } and }} closing ones',
    '{"id":{"a":"{{payment.id}}"}}',
  ])('may be %j', (text) => {
    expect(() => validatePlan({ steps: [payment, email({ text })] })).not.toThrow();
  });

  it.each([
    ['{{nobody.id}}', 'citation 1 names a step that does not exist'],
    ['{{payment.id}} {{mail.id}}', 'citation 2 must name an earlier step'],
    ['{{1.id}}', 'citation 1 must name an earlier step'],
    ['{{2.id}}', 'citation 1 names a step that does not exist'],
    ['{{payment.secret}}', `citation 1 cites a field that charge does not give; ${chargeGives}`],
    ['{{payment.toString}}', `citation 1 cites a field that charge does not give; ${chargeGives}`],
    ['{{payment}}', 'citation 1 is not of the form {{step.field}}'],
    ['{{payment.id.x}}', 'citation 1 is not of the form {{step.field}}'],
    ['{{payment..id}}', 'citation 1 is not of the form {{step.field}}'],
    ['{{}}', 'citation 1 is not of the form {{step.field}}'],
    ['{{ }}', 'citation 1 is not of the form {{step.field}}'],
    ['{{pay ment.id}}', 'citation 1 is not of the form {{step.field}}'],
    ['{{{payment.id}}}', 'citation 1 is not of the form {{step.field}}'],
    ['{{payment.id}', 'citation 1 is not of the form {{step.field}}'],
    ['{{payment.id', 'citation 1 is not of the form {{step.field}}'],
    ['{{ {{payment.id}}', 'citation 1 is not of the form {{step.field}}'],
    ['{{pay\nment.id}}', 'citation 1 is not of the form {{step.field}}'],
    ['{{sk_test_secret.id}}', 'citation 1 names a step that does not exist'],
  ])('%j is refused', (text, fault) => {
    expect(planRefusal({ steps: [payment, email({ text }, { id: 'mail' })] })).toBe(
      `plan: steps[1].args.text: ${fault}`,
    );
  });

  it.each([
    ['subject', email({ subject: '{{x.id}}' })],
    ['description', charge({ description: '{{x.id}}' })],
    ['metadata.order', charge({ metadata: { order: '{{x.id}}' } })],
  ])('is checked in %s', (path, step) => {
    expect(planRefusal({ steps: [payment, step] })).toBe(
      `plan: steps[1].args.${path}: citation 1 names a step that does not exist`,
    );
  });

  it.each([
    ['description', charge({ description: `${'x'.repeat(746)}{{0.id}}` }), 1000],
    ['metadata.order', charge({ metadata: { order: `{{0.id}}${'x'.repeat(246)}` } }), 500],
    ['subject', email({ subject: `{{0.id}}{{0.id}}${'x'.repeat(489)}` }), 998],
    ['text', email({ text: '{{0.id}}'.repeat(2057) }), 524_288],
  ])('may not make %s longer than the provider or Temporal takes', (path, step, maximum) => {
    expect(planRefusal({ steps: [payment, step] })).toBe(
      `plan: steps[1].args.${path}: may be longer than ${maximum} characters when its citations are filled in, 255 each`,
    );
  });

  it('of an e-mail, a refund and a look-up has their fields', () => {
    const steps = [payment, refund({ charge: 0 }), email(), lookup(0)];
    const cite = (text: string) => () => validatePlan({ steps: [...steps, email({ text })] });
    expect(cite('{{1.charge}} {{2.status}} {{3.amount_refunded_formatted}}')).not.toThrow();
    expect(cite('{{2.amount}}')).toThrow('citation 1 cites a field that email does not give; it gives id, status');
  });
});

describe('filling in', () => {
  const result: StepResult = {
    ...{ id: 'pi_$&_1', status: 'succeeded', amount: 2500, amount_formatted: '$25.00', currency: 'usd' },
  };
  const plan = planOf(payment, email());

  it('takes the results of the steps cited', () => {
    const asked: number[] = [];
    const text = fillIn(plan, '{{payment.amount_formatted}} = {{ 0.amount }} {{payment.currency}}', (index) => {
      asked.push(index);
      return result;
    });
    expect(text).toBe('$25.00 = 2500 usd');
    expect(asked).toEqual([0, 0, 0]);
  });

  it('puts a result in as it is: nothing in it is read again', () => {
    expect(fillIn(plan, 'a {{0.id}} b', () => result)).toBe('a pi_$&_1 b');
    expect(fillIn(plan, '{{0.id}}', () => ({ ...result, id: '{{0.amount}}' }))).toBe('{{0.amount}}');
    expect(fillIn(plan, 'nothing } cited {', () => result)).toBe('nothing } cited {');
  });

  it('finds a step by id before and after others, and by index', () => {
    const two = planOf(charge({}, { id: 'pay' }), charge({}, { id: 'pay_2' }));
    expect(['pay', 'pay_2', 0, '1', 'pay_3', 2].map((reference) => referencedIndex(two, reference))).toEqual([
      ...[0, 1, 0, 1, undefined, undefined],
    ]);
  });
});
