/*
 * Two workers make the first attempt at the same step at the same moment, as when a timed-out attempt runs on beside
 * its retry. One of them acts, both end with its answer.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { idempotencyKey } from '../../src/plan/idempotency-key.js';
import { startSandbox } from '../../src/sandbox/sandbox.js';
import { openTestLedger } from '../rig/test-ledger.js';
import type { ChargeInput, Outcome } from './charging-worker.js';

const rounds = 200;

async function startWorker(ledgerUrl: string, stripeUrl: string): Promise<(input: ChargeInput) => Promise<Outcome>> {
  const path = fileURLToPath(new URL('charging-worker.ts', import.meta.url));
  const child = fork(path, [ledgerUrl, stripeUrl], { execArgv: ['--import', 'tsx'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return async (input) => {
    child.send(input);
    return ((await once(child, 'message')) as [Outcome])[0];
  };
}

/** The first attempt of step 0 of a fresh plan. */
function inputOf(workflowId: string): ChargeInput {
  const args = { amount: 2500, currency: 'usd', payment_method: 'pm_card_visa' };
  const operation = { namespace: 'default', workflowId, stepIndex: 0, purpose: 'do' as const };
  return {
    ...operation,
    key: idempotencyKey(operation),
    planFingerprint: 'the plan',
    workflowStartedAt: Date.now(),
    requestTimeout: 60_000,
    tool: 'charge',
    stepFingerprint: 'the step',
    args,
    approved: false,
    charged: args.amount,
  };
}

test(`two first attempts at the same moment, ${rounds} times: one charge each, both get it`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { ledger, url, remove } = await openTestLedger(join(folder, 'ledger.db'));
  onTestFinished(remove);
  const workers = await Promise.all([startWorker(url, sandbox.stripeUrl), startWorker(url, sandbox.stripeUrl)]);

  const notYet: string[] = [];
  for (let round = 1; round <= rounds; round++) {
    const input = inputOf(`w-${round}`);
    await ledger.openPlan(input, input.planFingerprint);
    const outcomes = await Promise.all(
      workers.map(async (attempt) => {
        for (;;) {
          const outcome = await attempt(input);
          if ('id' in outcome) return outcome.id;
          notYet.push(outcome.failure);
        }
      }),
    );
    const { charges } = sandbox.effects();
    expect(charges).toHaveLength(round);
    const id = charges.at(-1)?.id;
    expect(outcomes).toEqual([id, id]);
  }
  // The provider's own "in progress" is all that the slower one may have met.
  expect(notYet.filter((failure) => !failure.includes('in-progress request'))).toEqual([]);
});
