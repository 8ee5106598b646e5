import type { Answer, FailureKind } from '../../src/activities/answer.js';
import { isSettled, newRecord } from '../../src/ledger/action-record.js';
import { notSeen } from './activities.js';
import type { Found } from './provider.js';
import type { Sabotage } from './sabotage.js';
import type { Fault } from './scenario.js';

const underKey = (change: (key: string, scheduledAt: number) => string): Sabotage => ({
  operation: (operation, scheduledAt) => ({
    ...operation,
    ask: (request, key) => operation.ask(request, change(key, scheduledAt)),
  }),
});

/** An answer is taken for another kind of answer. */
const mistaking = (kind: FailureKind, ...wrong: FailureKind[]): Sabotage => ({
  operation: (operation) => ({
    ...operation,
    async ask(request, key): Promise<Answer<Found>> {
      const answer = await operation.ask(request, key);
      return answer.kind !== 'succeeded' && answer.kind !== 'not_final' && wrong.includes(answer.kind)
        ? { ...answer, kind }
        : answer;
    },
  }),
});

const settled = {
  state: 'succeeded',
  result: '{"id":"before it was asked"}',
  reference: 'none',
  replayed: false,
} as const;

/** A sabotage, and the faults among which it is to be found: those that nothing but the broken part could have helped against. */
export interface Planted extends Sabotage {
  among: readonly Fault[];
}

export const sabotages: Record<string, Planted> = {
  'uuid: a new key for every attempt': {
    among: ['lost answer'],
    ...underKey((key, scheduledAt) => `${key}-${scheduledAt}`),
  },
  'no-ledger: every claim is the first': {
    among: ['a day passes', 'start again'],
    ledger: (ledger, now) => ({
      claim: async (claim, mayBegin) => {
        const record = await ledger.claim(claim, mayBegin);
        return isSettled(record) ? { ...record, ...newRecord(claim, now()), result: null, error: null } : record;
      },
    }),
  },
  'no-key: the provider ignores keys': { among: ['lost answer'], ignoresKeys: true },
  'no-key: none is sent': { among: ['lost answer'], ...underKey(() => '') },
  'settle-first: recorded as done before it is asked': {
    among: ['lost request'],
    ledger: (ledger) => ({
      claim: async (claim, mayBegin) => {
        const record = await ledger.claim(claim, mayBegin);
        if (!isSettled(record)) await ledger.settle(claim.key, settled);
        return record;
      },
    }),
  },
  'no fence: what is reported as not done may still be begun': {
    among: ['abandon'],
    ledger: (ledger) => ({ fence: (_plan, key) => ledger.find(key) }),
  },
  'no look: old keys are asked like new ones': {
    among: ['lost answer', 'a day passes', 'start again'],
    ledger: (ledger) => ({
      claim: async (claim, mayBegin) => {
        const record = await ledger.claim(claim, mayBegin);
        return { ...record, first_asked_at: record.last_asked_at };
      },
    }),
  },
  'a refusal after a lost answer is taken for "did not happen"': {
    among: ['lost answer', 'refused'],
    ...mistaking('declined', 'refused'),
  },
  'a stored 500 is taken for "did not happen"': {
    among: ['done, but stores a 500'],
    ...mistaking('declined', 'stuck'),
  },
  'a lost answer is counted as "did not happen"': {
    among: ['lost answer'],
    ...mistaking('not_now', 'ambiguous'),
  },
  'a refusal is believed whatever was asked meanwhile': {
    among: ['abandon', 'refused'],
    ledger: (ledger) => ({ settle: (key, settlement) => ledger.settle(key, settlement) }),
  },
  'an undo that was reported as not done may still be done': {
    among: ['lost answer', 'abandon'],
    ledger: (ledger) => ({
      claim: (claim, mayBegin) =>
        ledger.claim(claim.purpose === 'undo' ? { ...claim, attemptScheduledAt: Infinity } : claim, mayBegin),
    }),
  },
  'records that were lost are taken for "was never asked"': {
    among: ['ledger lost'],
    ledger: () => ({ knows: () => Promise.resolve(true) }),
  },
  'an ask that was turned away makes a key old': {
    among: ['not now', 'a day passes', 'start again'],
    ledger: (ledger) => {
      let first = Infinity;
      return {
        claim: async (claim, mayBegin) => {
          const record = await ledger.claim(claim, mayBegin);
          first = Math.min(first, record.first_asked_at);
          return { ...record, first_asked_at: first };
        },
      };
    },
  },
  'an old claim still permits an ask': {
    among: ['pause', 'abandon', 'resolve'],
    standingClock: true,
  },
  'the look trusts clocks to ten minutes': {
    among: ['clock ahead', 'lost answer', 'a day passes', 'start again'],
    operation: (operation) => ({
      ...operation,
      ...(operation.look && {
        look: (request, key, { gte, lte }) =>
          operation.look?.(request, key, { gte: gte + 50 * 60, lte: lte - 50 * 60 }) ?? Promise.resolve(notSeen),
      }),
    }),
  },
  'unknown is final: what may be asked again is not': {
    among: ['lost answer', 'start again'],
    ledger: (ledger) => ({
      claim: async (claim, mayBegin) => {
        const record = await ledger.find(claim.key);
        return record?.state === 'unknown'
          ? { ...record, state: 'failed', error: record.error }
          : ledger.claim(claim, mayBegin);
      },
    }),
  },
};
