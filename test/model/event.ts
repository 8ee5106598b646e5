import type { Fault } from './scenario.js';

export const minute = 60_000;

/** Something that may happen next. */
export interface Event {
  label: string;
  /** What had to go wrong for it; undefined if it is only a matter of time. */
  fault?: Fault;
  happen: () => Promise<void> | void;
}
