import type { Plan } from '../../src/plan/plan-schema.js';
import type { Course } from './provider.js';

/** Everything that can go wrong by itself. Each costs one of a course's faults. */
export type Fault =
  /** The answer is lost, or the attempt stops waiting for it; the request goes on. */
  | 'lost answer'
  /** The request never arrives. */
  | 'lost request'
  /** The provider works on the request for a while; meanwhile its key is in use. */
  | 'slow'
  /** Temporal stops waiting for an attempt, which goes on. */
  | 'abandon'
  /** The attempt's process ends. */
  | 'crash'
  /** The process stands still between an answer of the ledger or the provider and its next act. */
  | 'pause'
  /** A transaction of the ledger fails, or its answer is lost after it was committed. */
  | 'ledger'
  /** A read from the provider fails. */
  | 'look'
  | 'a day passes'
  | 'minutes pass'
  /** The clock of an attempt's worker is ahead by as much as is allowed for. */
  | 'clock ahead'
  | 'ledger lost'
  | 'start again'
  | 'resolve'
  | Course;

/** A plan, and what may go wrong while it runs. */
export interface Scenario {
  name: string;
  plan: Plan;
  faults: readonly Fault[];
  /** How often Temporal tries a step. */
  attempts: number;
}

const charge = { tool: 'charge', args: { amount: 100, currency: 'usd', payment_method: 'pm_card_visa' } } as const;
const email = { tool: 'email', args: { to: 'ada@example.com', subject: 'Receipt', text: 'Paid.' } } as const;

const wire: Fault[] = ['lost answer', 'lost request', 'slow', 'abandon'];
const answers: Fault[] = ['declined', 'refused', 'not now', 'stores a 500', 'done, but stores a 500', 'processing'];
const time: Fault[] = ['pause', 'minutes pass', 'a day passes', 'clock ahead', 'look', 'crash'];
const ledger: Fault[] = ['ledger', 'ledger lost'];
const later: Fault[] = ['start again', 'resolve'];

export const scenarios: Scenario[] = [
  {
    ...{ name: 'a charge and time', plan: plan('stop', charge), attempts: 1 },
    faults: [...time, ...later, 'lost answer', 'lost request', 'abandon', 'not now'],
  },
  {
    name: 'a charge and the wire',
    plan: plan('stop', charge),
    attempts: 2,
    faults: [...wire, ...answers, 'start again'],
  },
  {
    ...{ name: 'a charge and the ledger', plan: plan('stop', charge), attempts: 2 },
    faults: [...ledger, 'lost answer', 'abandon', 'refused', 'start again'],
  },
  {
    ...{ name: 'an e-mail', plan: plan('stop', email), attempts: 1 },
    faults: [...wire, ...time, ...ledger, ...later, 'refused', 'not now', 'stores a 500'],
  },
  {
    ...{ name: 'the undo of a charge and the wire', plan: plan('undo', charge), attempts: 1 },
    faults: [...wire, ...answers],
  },
  {
    ...{ name: 'the undo of a charge, time and the ledger', plan: plan('undo', charge), attempts: 1 },
    faults: [...time, ...ledger, ...later, 'lost answer', 'abandon'],
  },
];

function plan(onFailure: 'stop' | 'undo', ...steps: Plan['steps']): Plan {
  return { onFailure, steps };
}
