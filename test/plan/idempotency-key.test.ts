import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idempotencyKey, type KeyParts } from '../../src/plan/idempotency-key.js';

const parts = (change: Partial<KeyParts> = {}): KeyParts => ({
  namespace: 'default',
  workflowId: 'order-1042',
  stepIndex: 0,
  purpose: 'do',
  ...change,
});

describe('golden vectors: anyone can compute the key, in any language and any later version', () => {
  it.each<[Partial<KeyParts>, string]>([
    [{}, 'ap1_0_do_a007c5a6e82d080dc1439d8a0268d061e8756d36f27c8e1acba19d0efb23a02f'],
    [{ purpose: 'undo' }, 'ap1_0_undo_d0f401d4797262d37a2025bf9430cebf42d752e3ec98ca3392533a4b18228b7c'],
    [{ stepIndex: 1 }, 'ap1_1_do_41fce248c8b2ae1bce88523c59d5032508b6663b9eb12190e7a50efc1c80de5a'],
    [{ namespace: 'shop-b' }, 'ap1_0_do_94cc00b9f7a93ef90aa1c62310c177f043e677d30e57b4712d63b8266dd5c1b8'],
    [
      { workflowId: '注文-1', stepIndex: 11 },
      'ap1_11_do_0517ea3c2ef3041ad9670dde3b1e556ef14629532133c67c19d34bc9eb6f3721',
    ],
  ])('%j', (change, key) => {
    expect(idempotencyKey(parts(change))).toBe(key);
  });
});

describe('two different operations never share a key', () => {
  it.each<[string, Partial<KeyParts>, Partial<KeyParts>]>([
    ['digits at the joint', { workflowId: 'a1', stepIndex: 1 }, { workflowId: 'a', stepIndex: 11 }],
    ['a separator in the id', { workflowId: 'a_1', stepIndex: 0 }, { workflowId: 'a', stepIndex: 1 }],
    ['a comma and quotes in the id', { workflowId: 'a",0,"do' }, { workflowId: 'a' }],
    ['the joint of namespace and id', { namespace: 'a', workflowId: 'b-c' }, { namespace: 'a-b', workflowId: 'c' }],
    ['an empty part', { namespace: '', workflowId: 'ab' }, { namespace: 'ab', workflowId: '' }],
    ['NFC and NFD', { workflowId: '\u00e9' }, { workflowId: 'e\u0301' }],
    ['upper and lower case', { workflowId: 'Order-1042' }, { workflowId: 'order-1042' }],
    ['blanks', { workflowId: 'a b' }, { workflowId: 'a\u00a0b' }],
    ['a backslash and what it escapes', { workflowId: '\\u0061' }, { workflowId: 'a' }],
  ])('%s', (_, one, other) => {
    expect(idempotencyKey(parts(one))).not.toBe(idempotencyKey(parts(other)));
  });

  // Characters that have a meaning in JSON, in the key or in Unicode, and few of them, so that near misses are common.
  const fragment = fc.constantFrom('a', '1', '11', '_', '-', ',', '"', '\\', '[', ']', ' ', 'é', 'e\u0301', '注', '😀');
  const name = fc.array(fragment, { maxLength: 4 }).map((fragments) => fragments.join(''));
  const anyParts = fc.record<KeyParts>({
    namespace: name,
    workflowId: name,
    stepIndex: fc.nat({ max: 111 }),
    purpose: fc.constantFrom('do', 'undo'),
  });

  it('for any two of them', () => {
    const tuple = ({ namespace, workflowId, stepIndex, purpose }: KeyParts): unknown[] => [
      ...[namespace, workflowId, stepIndex, purpose],
    ];
    fc.assert(
      fc.property(fc.array(anyParts, { minLength: 50, maxLength: 50 }), (operations) => {
        const keyed = new Map<string, unknown[]>();
        for (const operation of operations) {
          const key = idempotencyKey(operation);
          expect(keyed.get(key) ?? tuple(operation)).toEqual(tuple(operation));
          keyed.set(key, tuple(operation));
        }
      }),
    );
  });

  it('1,000 ids of three steps: 3,000 keys', () => {
    const keys = Array.from({ length: 3000 }, (_, index) =>
      idempotencyKey(parts({ workflowId: `w${index % 1000}`, stepIndex: Math.floor(index / 1000) })),
    );
    expect(new Set(keys).size).toBe(3000);
  });
});

describe('the key', () => {
  const anyParts = fc.record<KeyParts>({
    namespace: fc.string({ unit: 'grapheme' }),
    workflowId: fc.string({ unit: 'grapheme', maxLength: 1000 }),
    stepIndex: fc.nat({ max: 999 }),
    purpose: fc.constantFrom('do', 'undo'),
  });

  it('can be a header and fits the providers, whatever the id', () => {
    fc.assert(
      fc.property(anyParts, (operation) => {
        expect(idempotencyKey(operation)).toMatch(/^[!-~]{1,255}$/);
      }),
    );
  });

  it('depends on nothing else: the same each time, whatever a caller hands along', () => {
    fc.assert(
      fc.property(anyParts, fc.dictionary(fc.string(), fc.anything()), (operation, extra) => {
        expect(idempotencyKey({ ...extra, ...operation })).toBe(idempotencyKey(operation));
      }),
    );
  });
});
