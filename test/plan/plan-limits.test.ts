import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/plan/input-error.js';
import { parsePlan } from '../../src/plan/plan.js';
import { parsePolicy } from '../../src/plan/policy.js';
import { charge, email, planRefusal, refund, refusal } from './plans.js';

const kilobytes = (count: number): number => count * 1024;

describe('the size of a plan', () => {
  it('is at most 512 KB of UTF-8, as a file and as a value', () => {
    const frame = JSON.stringify({ steps: [email({ text: '' })] }).length;
    const plan = (bytes: number) => ({ steps: [email({ text: 'x'.repeat(bytes - frame) })] });
    expect(() => parsePlan(JSON.stringify(plan(kilobytes(512))))).not.toThrow();
    expect(refusal(() => parsePlan(JSON.stringify(plan(kilobytes(512) + 1))))).toBe('plan: must be at most 512 KB');
    expect(planRefusal(plan(kilobytes(512) + 1))).toBe('plan: must be at most 512 KB');
  });

  it('is counted in bytes, not in characters', () => {
    expect(planRefusal({ steps: [email({ text: '注'.repeat(kilobytes(171)) })] })).toBe('plan: must be at most 512 KB');
  });

  it('is measured before the text is parsed', () => {
    expect(refusal(() => parsePlan('{'.repeat(kilobytes(513))))).toBe('plan: must be at most 512 KB');
  });
});

describe('a document that is hard to read is refused in one short line', () => {
  it.each([
    ['nothing', ''],
    ['not JSON, with a secret in it', '{"key": sk_test_secret}'],
    ['two documents', '{}{}'],
  ])('%s', (_, text) => {
    expect(refusal(() => parsePlan(text))).toBe('plan: is not JSON');
    expect(refusal(() => parsePolicy(text))).toBe('policy: is not JSON');
  });

  const depth = kilobytes(200);

  it.each([
    ['arrays', '['.repeat(depth) + ']'.repeat(depth)],
    ['objects', '{"a":'.repeat(kilobytes(60)) + '1' + '}'.repeat(kilobytes(60))],
    ['what stands where a value could', `{"steps":[{"tool":"email","args":${'['.repeat(depth)}${']'.repeat(depth)}}]}`],
  ])('nested without end: %s', (_, text) => {
    expect(refusal(() => parsePlan(text))).toContain('is nested deeper than 16');
    expect(refusal(() => parsePolicy(text))).toContain('is nested deeper than 16');
  });

  it('a name as long as the document', () => {
    const message = planRefusal({ steps: [charge({ ['n'.repeat(kilobytes(400))]: 1 })] });
    expect(message).toMatch(/^plan: steps\[0\]\.args\["n+…"\]: is not a known field$/);
    expect(message.length).toBeLessThan(200);
  });

  it('a name that breaks the line, or reverses it', () => {
    const message = planRefusal({ steps: [charge({ 'a\u2028b\u202ec\nd': 1 })] });
    expect(message).toBe('plan: steps[0].args["a\\u{2028}b\\u{202e}c\\nd"]: is not a known field');
  });

  it('a thousand faults', () => {
    expect(planRefusal({ steps: Array.from({ length: 1000 }, () => charge({ amount: 0 })) })).toMatch(
      /^plan: steps\[0\]\.args\.amount: .{1,80} \(and 999 more\)$/,
    );
  });
});

describe('hostile strings', () => {
  it.each<[string, (size: number) => unknown]>([
    ['digits', (size) => ({ steps: [email({ text: '4'.repeat(size) })] })],
    ['groups of digits', (size) => ({ steps: [email({ text: '4242 '.repeat(size / 5) })] })],
    ['digits and blanks', (size) => ({ steps: [email({ text: '4   '.repeat(size / 4) })] })],
    ['blanks', (size) => ({ steps: [email({ text: `{{${' '.repeat(size)}` })] })],
    ['open braces', (size) => ({ steps: [email({ text: '{{'.repeat(size / 2) })] })],
    ['citations', (size) => ({ steps: [charge(), email({ text: '{{0.id}}'.repeat(size / 8) })] })],
    ['a local part', (size) => ({ steps: [email({ to: 'a.'.repeat(size / 2) })] })],
    ['a domain', (size) => ({ steps: [email({ to: `a@${'a-'.repeat(size / 2)}` })] })],
    ['a domain of many labels', (size) => ({ steps: [email({ to: `a@${'a.'.repeat(size / 2)}` })] })],
    ['an id', (size) => ({ steps: [charge({}, { id: `${'a'.repeat(size)}!` })] })],
    ['a reference', (size) => ({ steps: [charge(), refund({ charge: `${'a'.repeat(size)}!` })] })],
  ])('as large as a plan may be are read in time: %s', (_, plan) => {
    // By the square of its length each would take minutes, and the test its time-out. Refused or not does not matter.
    try {
      expect(parsePlan(JSON.stringify(plan(kilobytes(500)))).steps.length).toBeGreaterThan(0);
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
    }
  });
});
