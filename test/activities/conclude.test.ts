/* The last word on a step that got no final answer comes from the record alone, whatever was heard last. */
import { expect, test } from 'vitest';
import { conclude } from '../../src/activities/conclude.js';
import { claimOf, failed, mayBegin, plan, planFingerprint, succeeded } from '../ledger/claims.js';
import { createSqliteStore } from '../ledger/sqlite-store.js';

const { key } = claimOf();
const input = { ...plan, key, lastFailure: 'the line was dead' };

async function openLedger() {
  const ledger = await createSqliteStore().open();
  await ledger.openPlan(plan, planFingerprint);
  return ledger;
}

test('never asked for: surely not done', async () => {
  expect(await conclude(await openLedger(), input, 1)).toEqual({ state: 'not_done', asks: 0, replays: 0 });
});

test('asked for, and every ask turned away: surely not done', async () => {
  const ledger = await openLedger();
  await ledger.claim(claimOf(), mayBegin);
  await ledger.deny(key);
  expect(await conclude(ledger, input, 1)).toEqual({ state: 'not_done', asks: 1, replays: 0 });
});

test('asked for without an answer: unknown, and recorded so', async () => {
  const ledger = await openLedger();
  await ledger.claim(claimOf(), mayBegin);
  const error = { type: 'outcome_unknown', message: expect.stringContaining('the line was dead') as string };
  expect(await conclude(ledger, input, 1)).toEqual({ state: 'unknown', error, asks: 1, replays: 0 });
  expect(await ledger.find(key)).toMatchObject({ state: 'unknown', replays: 0 });
  // What was told once is told again.
  const again = await conclude(ledger, { ...input, lastFailure: 'something else' }, 1);
  expect(again).toEqual({ state: 'unknown', error, asks: 1, replays: 0 });
});

test('settled meanwhile by a late attempt: that is the outcome', async () => {
  const ledger = await openLedger();
  await ledger.claim(claimOf(), mayBegin);
  await ledger.settle(key, succeeded('pi_1'));
  expect(await conclude(ledger, input, 1)).toEqual({ state: 'succeeded', result: { id: 'pi_1' }, asks: 1, replays: 0 });
});

test('declined meanwhile: that is the outcome', async () => {
  const ledger = await openLedger();
  await ledger.claim(claimOf(), mayBegin);
  await ledger.settle(key, failed('card_declined'));
  const error = { code: 'card_declined' };
  expect(await conclude(ledger, input, 1)).toEqual({ state: 'failed', error, asks: 1, replays: 0 });
});

test('no trace of the plan: the ledger was lost, so nobody knows', async () => {
  const empty = await createSqliteStore().open();
  const message = expect.stringMatching(`The ledger has lost .* Look for ${key} at the provider`) as string;
  const error = { type: 'outcome_unknown', message };
  expect(await conclude(empty, input, 1)).toEqual({ state: 'unknown', error, asks: 0, replays: 0 });
});
