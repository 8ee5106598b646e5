import { ApplicationFailure } from '@temporalio/activity';
import { pino } from 'pino';
import { vi } from 'vitest';
import type { Answer, Failure, FailureKind } from '../../src/activities/answer.js';
import { once, type OnceDeps, type Operation } from '../../src/activities/once.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import type { Acted } from '../../src/plan/step-failure.js';
import { claimOf, mayBegin, plan, planFingerprint } from '../ledger/claims.js';
import { createSqliteStore } from '../ledger/sqlite-store.js';

interface Paid {
  id: string;
}

export const success = (id = 'pi_1', replayed = false): Answer<Paid> => ({
  ...{ kind: 'succeeded', result: { id }, reference: id, replayed },
});

export const failure = (kind: FailureKind, more: Partial<Failure> = {}): Failure => ({
  ...{ kind, error: { type: 'test', message: `it was ${kind}` }, replayed: false },
  ...more,
});

export const notFinal = (reference: string): Answer<Paid> => ({
  ...{ kind: 'not_final', reference, error: { type: 'test', message: 'it is being processed' } },
});

type Step = Answer<Paid> | (() => Promise<Answer<Paid>>);

/** A provider that gives the next of `answers` at every ask; one more ask than answers fails the test. */
export function scripted(...answers: Step[]) {
  const ask = vi.fn<Operation<unknown, Paid>['ask']>(async () => {
    const next = answers.shift();
    if (next === undefined) throw new Error('asked once too often');
    return typeof next === 'function' ? next() : next;
  });
  const operation: Operation<unknown, Paid> = { request: { amount: 2500 }, account: 'acct_1', ask };
  return { ask, operation };
}

export interface OnceRig {
  ledger: Ledger;
  clock: { now: number };
  /** One attempt of the activity. */
  attempt: (operation: Operation<unknown, Paid>, deps?: Partial<OnceDeps>) => Promise<Acted<Paid>>;
}

/** `once` with a real ledger in a file; the plan is open. */
export async function startOnce(): Promise<OnceRig> {
  const clock = { now: 1_800_000_000_000 };
  const ledger = await createSqliteStore().open(() => clock.now);
  await ledger.openPlan(plan, planFingerprint);
  const deps: OnceDeps = {
    ...{ ledger, log: pino({ enabled: false }), now: () => clock.now, breakAt: () => undefined },
    requestTimeout: 10_000,
    mayBegin,
  };
  return { ledger, clock, attempt: (operation, more) => once({ ...deps, ...more }, claimOf(), operation) };
}

/** How the attempt failed, as Temporal sees it. */
export async function failureOf(attempt: Promise<unknown>): Promise<ApplicationFailure> {
  const error: unknown = await attempt.then(
    () => new Error('did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof ApplicationFailure) return error;
  throw error instanceof Error ? error : new Error(String(error));
}
