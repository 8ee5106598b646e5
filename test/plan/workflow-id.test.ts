import { describe, expect, it } from 'vitest';
import { workflowIdFault } from '../../src/plan/workflow-id.js';

describe('a workflow id', () => {
  it.each([
    ['an ordinary one', 'order-1042'],
    ['other scripts', 'заказ-№1 注文-1'],
    ['an emoji made of several', '👨‍👩‍👧'],
    ['NFD', 'e\u0301'],
    ['a blank inside', 'order 1042'],
    ['300 characters', 'x'.repeat(300)],
    ['1,000 bytes', 'x'.repeat(1000)],
    ['1,000 bytes of wide characters', `${'注'.repeat(333)}x`],
  ])('may be %s', (_, id) => {
    expect(workflowIdFault(id)).toBeUndefined();
  });

  it.each([
    ['empty', '', 'must not be empty'],
    ['only blanks', '   ', 'must not begin or end with a blank'],
    ['padded in front', ' order', 'must not begin or end with a blank'],
    ['padded behind', 'order ', 'must not begin or end with a blank'],
    ['padded with a no-break space', 'order\u00a0', 'must not begin or end with a blank'],
    ['padded with an ideographic space', '\u3000order', 'must not begin or end with a blank'],
    ['padded with a line separator', 'order\u2028', 'must not begin or end with a blank'],
    ['begun with a byte order mark', '\ufefforder', 'must not begin or end with a blank'],
    ['ended by a line feed', 'order\n', 'must not contain control characters'],
    ['with CR and LF', 'a\r\nX: 1', 'must not contain control characters'],
    ['with NUL', 'a\0b', 'must not contain control characters'],
    ['with DEL', 'a\u007fb', 'must not contain control characters'],
    ['with NEL', 'a\u0085b', 'must not contain control characters'],
    ['a lone high surrogate', 'a\ud83d', 'must be valid Unicode'],
    ['a lone low surrogate', '\ude00a', 'must be valid Unicode'],
    ['1,001 bytes', 'x'.repeat(1001), 'must be at most 1000 bytes of UTF-8, is 1001'],
    ['1,002 bytes in 334 characters', '注'.repeat(334), 'must be at most 1000 bytes of UTF-8, is 1002'],
  ])('is refused if it is %s', (_, id, fault) => {
    expect(workflowIdFault(id)).toBe(fault);
  });
});
