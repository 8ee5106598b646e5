import { describe, expect, it } from 'vitest';
import { validatePlan } from '../../src/plan/plan.js';
import { charge, email, planRefusal } from './plans.js';

const onePlainAddress = 'must be one plain address, e.g. "ada@example.com"';

/** A charge stands before it: bad input is refused before the first effect. */
const mailTo = (to: string): unknown => ({ steps: [charge(), email({ to })] });

describe('an address', () => {
  it.each([
    'ada@example.com',
    'a@x.test',
    'ada.lovelace+receipts@mail.example.co.uk',
    "o'brien_1@example.com",
    'ada@localhost',
    'ada@a-b.example',
    'ada@1.example',
  ])('may be %s', (to) => {
    expect(() => validatePlan(mailTo(to))).not.toThrow();
  });

  it.each([
    ['nothing', ''],
    ['a line feed and a header', 'a@x.test\nCc: b@x.test'],
    ['CR and LF at the end', 'a@x.test\r\n'],
    ['a carriage return in a display name', 'Ada\r <a@x.test>'],
    ['U+2028', 'a@x.test\u2028'],
    ['a bidi override', '\u202ea@x.test'],
    ['a no-break space', 'a\u00a0b@x.test'],
    ['a tab', 'a\t@x.test'],
    ['two addresses', 'a@x.test,b@evil.test'],
    ['two addresses by a semicolon', 'a@x.test;b@evil.test'],
    ['two addresses by a blank', 'a@x.test b@evil.test'],
    ['a display name', 'Ada <a@x.test>'],
    ['angle brackets', '<a@x.test>'],
    ['a quoted local part', '"a@evil.test"@x.test'],
    ['a comment', 'a@x.test(b@evil.test)'],
    ['two at signs', 'a@evil.test@x.test'],
    ['the percent hack is a local part, but a route is none', '@evil.test:a@x.test'],
    ['an address literal', 'a@[127.0.0.1]'],
    ['no domain', 'a@'],
    ['no local part', '@x.test'],
    ['two dots', 'a..b@x.test'],
    ['a dot in front', '.a@x.test'],
    ['two dots in the domain', 'a@x..test'],
    ['a dot at the end', 'a@x.test.'],
    ['a hyphen at the end of a label', 'a@x-.test'],
    ['another script that looks alike', 'аda@example.com'],
    ['a citation', '{{payment.id}}@x.test'],
  ])('may not have %s', (_, to) => {
    expect(planRefusal(mailTo(to))).toBe(`plan: steps[1].args.to: ${onePlainAddress}`);
  });

  it('has at most 254 characters', () => {
    const long = (length: number): string => `${'a'.repeat(length - 7)}@x.test`;
    expect(() => validatePlan(mailTo(long(254)))).not.toThrow();
    expect(planRefusal(mailTo(long(255)))).toBe('plan: steps[1].args.to: must be at most 254 characters');
  });
});

describe('a subject', () => {
  it.each([
    ['a header after CR and LF', 'Hi\r\nBcc: x@evil.test'],
    ['CR', 'Hi\r'],
    ['LF', 'Hi\n'],
    ['a tab', 'Hi\tAda'],
    ['ESC', 'Hi\u001b[31m'],
    ['NEL', 'Hi\u0085'],
    ['U+2028', 'Hi\u2028Bcc'],
    ['U+2029', 'Hi\u2029Bcc'],
    ['a bidi override', 'Receipt \u202efdp.exe'],
    ['a bidi isolate', 'Receipt \u2066x\u2069'],
  ])('may not have %s', (_, subject) => {
    expect(planRefusal({ steps: [charge(), email({ subject })] })).toBe(
      'plan: steps[1].args.subject: must not contain control characters',
    );
  });

  it('may have what other scripts need', () => {
    for (const subject of ['Quittung für Bestellung №1', 'שלום\u200f!', 'می\u200cخواهم', '👨‍👩‍👧', 'x'.repeat(998)]) {
      expect(() => validatePlan({ steps: [email({ subject })] })).not.toThrow();
    }
  });
});
