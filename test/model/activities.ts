import { pino } from 'pino';
import type { Answer } from '../../src/activities/answer.js';
import { conclude, type ConcludeInput } from '../../src/activities/conclude.js';
import { once, type Operation } from '../../src/activities/once.js';
import { begunSteps, closePlan, type ClosePlanInput } from '../../src/activities/begun-steps.js';
import type { StepInput } from '../../src/activities/step-input.js';
import type { Claim, PlanId } from '../../src/ledger/action-record.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import type { EffectivePolicy } from '../../src/plan/policy-merge.js';
import type { LedgerMethods } from './memory-ledger.js';
import { type EffectKind, failure, type Found, type Provider } from './provider.js';
import type { Sabotage } from './sabotage.js';
import type { Task } from './task.js';

/** A request to the provider. */
export interface Sent {
  /** The idempotency key it is sent with. */
  key: string;
  /** What its effect is found by: the key that is in its metadata. */
  name: string;
  kind: EffectKind;
  stepIndex: number;
}

/** What an attempt has of the world. Every call that could be told apart from outside is one step of its task. */
export interface AttemptWorld {
  task: Task;
  ledger: LedgerMethods;
  provider: Provider;
  sabotage: Sabotage;
  policy: EffectivePolicy;
  attempt: number;
  scheduledAt: number;
  now: () => number;
  /** Sends a request and waits for its answer. */
  send: (request: Sent) => Promise<Answer<Found>>;
}

type Opening = PlanId & { planFingerprint: string };

/** The code of one attempt of an activity: the real `once` and `conclude`, on a simulated provider. */
export function attemptOf(name: string, input: unknown, world: AttemptWorld): () => Promise<unknown> {
  const ledger = stepwise(world);
  switch (name) {
    case 'openPlan':
      return async () => {
        const { planFingerprint, ...plan } = input as Opening;
        await ledger.openPlan(plan, planFingerprint);
        return { policy: world.policy, begun: [] };
      };
    case 'begunSteps':
      // The workflow's own time: the search has another than the machine.
      return () => begunSteps(ledger, { ...(input as PlanId), askedAt: world.scheduledAt });
    case 'closePlan':
      return () => closePlan(ledger, { ...(input as ClosePlanInput), askedAt: world.scheduledAt });
    case 'conclude':
      return () => conclude(ledger, input as ConcludeInput, world.scheduledAt);
    case 'charge':
    case 'email':
      return () => act(world, ledger, input as StepInput<unknown>, name);
    case 'undoCharge':
      return () => act(world, ledger, input as StepInput<unknown>, 'refund');
    default:
      throw new Error(`The model has no activity ${name}`);
  }
}

function act(world: AttemptWorld, ledger: Ledger, input: StepInput<unknown>, kind: EffectKind): Promise<unknown> {
  const { scheduledAt: attemptScheduledAt, sabotage } = world;
  const begun = world.now();
  const now = sabotage.standingClock ? () => begun : world.now;
  const { args, requestTimeout, approved, charged, ...identity } = input;
  const claim = { ...identity, attemptScheduledAt };
  const operation = operationOf(world, claim, kind);
  return once(
    { ...{ ledger, log, now, requestTimeout }, breakAt: () => undefined, mayBegin: () => undefined },
    claim,
    sabotage.operation?.(operation, attemptScheduledAt) ?? operation,
  );
}

const log = pino({ enabled: false });

function operationOf(
  { task, provider, send }: AttemptWorld,
  { key: name, stepIndex }: Pick<Claim, 'key' | 'stepIndex'>,
  kind: EffectKind,
): Operation<unknown, Found> {
  const ask = (_: unknown, key: string): Promise<Answer<Found>> => send({ key, name, kind, stepIndex });
  // Nobody can look for an e-mail.
  if (kind === 'email') return { request: {}, account: null, ask };
  return {
    request: {},
    account: 'acct_1',
    ask,
    follow: (reference) => task.stop('follow', () => Promise.resolve(provider.read(reference))),
    look: (_, key, window) => task.stop('look', () => Promise.resolve(provider.look(key, window))),
  };
}

export const notSeen = failure('ambiguous', 'no answer');

/** The ledger as an attempt sees it: each call is one transaction, and the attempt stops before it. */
function stepwise({ task, ledger }: AttemptWorld): Ledger {
  const methods = ledger as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  return new Proxy(
    {},
    {
      get:
        (_, method: string) =>
        (...args: unknown[]) =>
          task.stop(`ledger.${method}`, () => methods[method]?.(...args) ?? Promise.reject(new Error(method))),
    },
  ) as LedgerMethods as Ledger;
}
