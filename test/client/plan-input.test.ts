import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readPlan, readPolicy } from '../../src/client/plan-input.js';
import { repeatedField } from '../../src/plan/repeated-field.js';
import { readPolicyFile } from '../../src/config.js';
import { charge } from '../rig/plans.js';
import { expectRefusal, runHere } from './finished.js';

const folder = mkdtempSync(join(tmpdir(), 'agent-plans-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(text: string): string {
  const path = join(folder, `${files++}.json`);
  writeFileSync(path, text);
  return path;
}

const plan = { steps: [charge()] };
const policy = { limits: { usd: 2500 }, approvalTimeout: '1h' };

test('a file that begins with a byte order mark', () => {
  expect(readPlan(file(`\uFEFF${JSON.stringify(plan)}`))).toEqual(plan);
  const plain = file(JSON.stringify(policy));
  expect(readPolicy(file(`\uFEFF${JSON.stringify(policy)}`))).toEqual(readPolicy(plain));
  // The worker reads the same.
  expect(readPolicyFile(file(`\uFEFF${JSON.stringify(policy)}`))).toEqual(readPolicyFile(plain));
  // One mark, at the beginning.
  expect(() => readPlan(file(`\uFEFF\uFEFF${JSON.stringify(plan)}`))).toThrow('plan: is not JSON');
});

test('a field that is given twice is refused with its path', async () => {
  const text = JSON.stringify(plan).replace('"amount":2500', '"amount": 2500, "amount": 50');
  expectRefusal(
    await runHere(['keys', file(text), '--workflow-id', 'w1', '--json']),
    /^plan: steps\[0\]\.args\.amount: stands twice in the same object\n$/,
  );
  expect(() => readPolicy(file('{ "limits": { "usd": 1, "usd": 100000 } }'))).toThrow(
    'policy: limits.usd: stands twice',
  );
});

describe('the path of a field that one object has twice', () => {
  test.for([
    ['{}', undefined],
    ['{"a":1,"b":1}', undefined],
    ['{"a":{"x":1},"b":{"x":1}}', undefined],
    ['[{"a":1},{"a":1}]', undefined],
    // Values are no names, whatever stands in them.
    ['{"a":"b","c":"a","b":"\\",\\"a\\":1,{"}', undefined],
    ['{"a":["a","a",{"a":"a"}]}', undefined],
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a\\"b":1,"a\\u0022b":2}', '["a\\"b"]'],
    ['{"":1,"":2}', '[""]'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"steps":[[1,2],{"x":[],"y":{},"x":0}]}', 'steps[1].x'],
    ['[0,[{"a":{},"b":[1,2],"a":{}}]]', '[1][0].a'],
    // The inner one is in what is thrown away.
    ['{"a":{"secret":1,"secret":2},"a":{}}', 'a'],
    [' {\n "a" : 1 ,\r\n\t"a" : 2 } ', 'a'],
  ] as const)('%s: %s', ([text, path]) => {
    JSON.parse(text);
    expect(repeatedField(text)).toBe(path);
  });

  test('in a large or deeply nested text', () => {
    const long = '\\n\\u0061x'.repeat(60_000);
    expect(repeatedField(`{"a":"${long}","b":1,"b":2}`)).toBe('b');
    const deep = 200_000;
    expect(repeatedField(`{"a":1,"b":${'['.repeat(deep)}${']'.repeat(deep)},"a":2}`)).toBe('a');
  });
});
