import type { PlanStatus } from '../plan/report.js';

/** What a program that calls us needs to know (design 4.3). 2 is `UsageError`: refused before anything was done. */
export const exitCodes: Readonly<Record<PlanStatus, number>> = {
  completed: 0,
  // Nothing is wrong: the plan goes on by itself.
  running: 0,
  failed: 1,
  undone: 1,
  cancelled: 1,
  outcome_unknown: 3,
  waiting_for_approval: 4,
};
