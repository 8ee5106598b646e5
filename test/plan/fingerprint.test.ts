import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/plan/fingerprint.js';
import { charge, planOf } from './plans.js';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The same JSON with the fields of every object in reverse order. */
function reversed(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(reversed);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).reverse();
  return Object.fromEntries(entries.map(([name, value]) => [name, reversed(value)]));
}

describe('canonical JSON (RFC 8785)', () => {
  it.each<[string, unknown, string]>([
    [
      'numbers (section 3.2.2.3)',
      [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001, -0, 1e21, 1e3],
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0,1e+21,1000]',
    ],
    [
      'names by UTF-16 code unit (section 3.2.3)',
      {
        ...{ '\u20ac': 'Euro Sign', '\r': 'Carriage Return', '\ufb33': 'Hebrew Letter Dalet With Dagesh', '1': 'One' },
        ...{
          '\ud83d\ude00': 'Emoji: Grinning Face',
          '\u0080': 'Control',
          '\u00f6': 'Latin Small Letter O With Diaeresis',
        },
      },
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis",' +
        '"\u20ac":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    ],
    ['strings (section 3.2.2.2)', '\u20ac$\u000f\nA\'B"\\\\"/', '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    ['literals and emptiness', [null, true, false, {}, [], ''], '[null,true,false,{},[],""]'],
  ])('%s', (_, json, canonical) => {
    expect(fingerprint(json)).toBe(sha256(canonical));
  });

  it('is pinned as a literal, for records outlive the code', () => {
    const step = { tool: 'charge', args: { amount: 2500, currency: 'usd', payment_method: 'pm_card_visa' } };
    expect(fingerprint(step)).toBe('e4b7cdb235a26031ab7fc838ad84da4183af082d531b721c78fb2e54b2b281a5');
  });
});

describe('the fingerprint', () => {
  it('is free of the order of fields', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'small' }), (json) => {
        expect(fingerprint(reversed(json))).toBe(fingerprint(json));
      }),
    );
  });

  // Few names and values that are nearly the same, so that a fingerprint that mixes them up is soon found.
  const value = fc.constantFrom<unknown>(
    1,
    '1',
    10,
    '10',
    true,
    'true',
    null,
    'null',
    '',
    [],
    [1],
    ['1'],
    {},
    { a: 1 },
  );
  const object = fc.dictionary(fc.constantFrom('a', 'b', '1', 'é', 'e\u0301'), value, {
    maxKeys: 2,
    noNullPrototype: true,
  });

  it('is the same for the same value only', () => {
    fc.assert(
      fc.property(object, object, (one, other) => {
        expect(fingerprint(one) === fingerprint(other)).toBe(isDeepStrictEqual(one, other));
      }),
      { numRuns: 2000 },
    );
  });

  it('is of the step as written: a default that is written out, or a reference, makes another plan', () => {
    const plan = { steps: [charge()] };
    expect(fingerprint({ ...plan, onFailure: 'stop' })).not.toBe(fingerprint(plan));
    const byId = [charge({}, { id: 'payment' }), { tool: 'refund', args: { charge: 'payment' } }];
    const byIndex = [charge({}, { id: 'payment' }), { tool: 'refund', args: { charge: 0 } }];
    expect(fingerprint(planOf(...byId))).not.toBe(fingerprint(planOf(...byIndex)));
    expect(fingerprint(charge({ amount: 9000 }))).not.toBe(fingerprint(charge({ amount: 4000 })));
  });

  it('sees every name, also those that objects have of their own', () => {
    const metadata = JSON.parse('{"constructor":"a","toString":"b","toJSON":"c"}') as Record<string, string>;
    const [step] = planOf(charge({ metadata })).steps;
    expect(fingerprint(step)).toBe(
      sha256(
        '{"args":{"amount":2500,"currency":"usd","metadata":{"constructor":"a","toJSON":"c","toString":"b"},' +
          '"payment_method":"pm_card_visa"},"tool":"charge"}',
      ),
    );
  });

  it('refuses what is no JSON', () => {
    expect(() => fingerprint(undefined)).toThrow(TypeError);
    expect(() => fingerprint({ amount: NaN })).toThrow('NaN');
  });
});
