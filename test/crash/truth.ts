import { expect } from 'vitest';
import type { Effects } from '../../src/sandbox/sandbox.js';
import type { SandboxProcess } from '../sandbox/spawn.js';
import type { Operation } from './operation.js';

export async function effectsOf({ ready }: SandboxProcess): Promise<Effects> {
  return (await fetch(`${ready.url}/effects`)).json() as Promise<Effects>;
}

const keysOf = (items: readonly { key: string | null }[]): string[] => items.map(({ key }) => String(key)).sort();

const wanted = (operations: readonly Operation[], ...kinds: Operation['kind'][]): string[] =>
  keysOf(operations.filter(({ kind }) => kinds.includes(kind)));

/** What is written down is what happened, before anybody has repeated anything. */
export function expectTruthfulLog({ charges, refunds, emails, requests }: Effects, operations: Operation[]): void {
  const executed = requests.filter(({ answer }) => answer === 'executed');
  expect(keysOf(executed)).toEqual(keysOf([...charges, ...refunds, ...emails]));

  // Whatever a client has seen was written down as sent: as many answers under its key, or more.
  const sent = new Map<string | null, number>();
  for (const { key, status } of requests) if (status !== null) sent.set(key, (sent.get(key) ?? 0) + 1);
  expect(operations.filter(({ key, heads }) => (sent.get(key) ?? 0) < heads)).toEqual([]);
}

/** After every key was repeated: one effect for each, the one that was answered, and every answer the same. */
export function expectOneEffectEach(effects: Effects, operations: Operation[]): void {
  const { charges, refunds, emails, requests } = effects;
  expect(keysOf(charges)).toEqual(wanted(operations, 'charge', 'decline'));
  expect(keysOf(refunds)).toEqual(wanted(operations, 'refund'));
  expect(keysOf(emails)).toEqual(wanted(operations, 'email'));
  expect(keysOf(requests.filter(({ answer }) => answer === 'executed'))).toEqual(keysOf(operations));

  const ids = new Map([...charges, ...refunds, ...emails].map(({ key, id }) => [key, id]));
  const different = operations.filter(({ kind, key, answers }) => {
    // A request that came while the first with its key was still at work.
    const given = answers.filter(({ status }) => status !== 409);
    const last = given.at(-1);
    const isRight = last?.status === (kind === 'decline' ? 402 : 200) && last.body.includes(String(ids.get(key)));
    return !isRight || given.some(({ status, body }) => status !== last.status || body !== last.body);
  });
  expect(different).toEqual([]);

  const refunded = new Map<string, number>();
  for (const { payment_intent: id, amount } of refunds) refunded.set(id, (refunded.get(id) ?? 0) + amount);
  expect(charges.filter(({ id, amount_refunded }) => amount_refunded !== (refunded.get(id) ?? 0))).toEqual([]);
}
