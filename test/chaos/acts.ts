import type { Random } from './random.js';

/** Done to a plan while it runs, `delay` ms after its start. */
export interface RunningAct {
  kind: 'duplicate' | 'cancel' | 'terminate' | 'reset';
  delay: number;
}

/** Done to a plan that has ended, some of it only when the clock has passed a day: the provider has forgotten the keys. */
export interface ClosedAct {
  kind: 'duplicate' | 'again' | 'reset' | 'impostor';
  afterADay: boolean;
}

export interface Acts {
  running: RunningAct[];
  closed: ClosedAct[];
  /** When a plan that was cut off, or could not go on, is started again. */
  resume: 'now' | 'after a day' | 'at the end';
}

/** Plans of this world take one to some seconds, so most of these hit one at work. */
const latestAct = 4_000;

/** What is done to one plan beside what happens to everybody. */
export function chooseActs(random: Random): Acts {
  const running: RunningAct[] = [];
  const add = (kind: RunningAct['kind'], probability: number): void => {
    if (random.chance(probability)) running.push({ kind, delay: random.between(0, latestAct) });
  };
  add('duplicate', 0.25);
  add('reset', 0.15);
  add('reset', 0.05);
  add('terminate', 0.1);
  add('cancel', 0.07);

  const closed: ClosedAct[] = [];
  // Settled long ago, and the provider has forgotten the keys: only the ledger keeps such a plan from acting again.
  if (random.chance(0.12)) closed.push({ kind: random.pick(['again', 'reset']), afterADay: true });
  if (random.chance(0.1)) {
    closed.push({ kind: random.weighted({ duplicate: 1, again: 2, reset: 3, impostor: 2 }), afterADay: false });
  }
  return {
    running: running.sort((one, other) => one.delay - other.delay),
    // Those that wait for a day come last.
    closed: closed.sort((one, other) => Number(one.afterADay) - Number(other.afterADay)),
    resume: random.weighted({ now: 3, 'after a day': 2, 'at the end': 1 }),
  };
}
