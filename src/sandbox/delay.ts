import { setTimeout as sleep } from 'node:timers/promises';

/** How the faults `late` and `slow` let time pass: until `ms` are over, or nobody waits any more. */
export type Delay = (ms: number, gone?: AbortSignal) => Promise<void>;

export const realDelay: Delay = (ms, signal) =>
  sleep(ms, undefined, { ...(signal && { signal }) }).catch(() => undefined);
