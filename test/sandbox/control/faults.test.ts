import { expect, test } from 'vitest';
import { sandboxForTest } from '../rig.js';
import { call, charge, drop } from './rig.js';

test('are listed with what they have done, and cleared', async () => {
  const sandbox = await sandboxForTest();
  await call(sandbox, 'POST', '/faults', { ...drop, times: 'always', skip: 1, delayMs: 0, probability: 1, seed: 4 });
  await charge(sandbox, 'a');
  await charge(sandbox, 'b');
  const rule = { ...drop, times: 'always', skip: 1, seed: 4, probability: 1, delayMs: 0, seen: 2, used: 1 };
  expect(await call(sandbox, 'GET', '/faults')).toMatchObject([200, [rule]]);
  expect(await call(sandbox, 'DELETE', '/faults')).toEqual([200, { cleared: 1 }]);
  expect(await call(sandbox, 'GET', '/faults')).toEqual([200, []]);
  expect(await charge(sandbox, 'c')).toBe(200);
});

test.each([
  [{ ...drop, fault: 'explode' }, 'fault'],
  [{ ...drop, fault: undefined }, 'fault'],
  [{ ...drop, service: 'bank' }, 'service'],
  [{ ...drop, match: '/v1/payment_intents' }, 'match'],
  [{ ...drop, match: 'post /v1' }, 'match'],
  [{ ...drop, match: 'POST /v1?a=b' }, 'match'],
  [{ ...drop, times: 0 }, 'times'],
  [{ ...drop, times: 'often' }, 'times'],
  [{ ...drop, times: 1.5 }, 'times'],
  [{ ...drop, skip: -1 }, 'skip'],
  [{ ...drop, probability: 1.1 }, 'probability'],
  [{ ...drop, delayMs: -1 }, 'delayMs'],
  [{ ...drop, delayMs: 1e12 }, 'delayMs'],
  [{ ...drop, seed: '1' }, 'seed'],
  [{ ...drop, fault: 'reject-422' }, 'fault'],
  [{ ...drop, fault: '409-mismatch' }, 'fault'],
  [{ ...drop, time: 3 }, 'time'],
  ['{', undefined],
  ['[]', undefined],
])('%j is refused with the path of the field: %s', async (rule, field) => {
  const sandbox = await sandboxForTest();
  const [status, answer] = await call(sandbox, 'POST', '/faults', rule);
  expect([status, answer]).toMatchObject([400, { error: { message: expect.any(String) as string } }]);
  expect((answer as { error: { field?: string } }).error.field).toBe(field);
  expect(sandbox.faults()).toEqual([]);
});
