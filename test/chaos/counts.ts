/** What was done to the plans of a run. */
export interface Counts {
  /** Processes ended by SIGKILL. */
  kills: number;
  /** Of the Temporal server, and of workers that were asked to stop. */
  restarts: number;
  resets: number;
  cancels: number;
  terminations: number;
  /** Starts of a plan under an id that was in use already. */
  duplicateStarts: number;
  /** Starts of another plan under a plan's id. */
  impostors: number;
  startedAgain: number;
  days: number;
  /** Workers that ended although nobody asked them to. */
  deserters: number;
}

export const noCounts = (): Counts => ({
  ...{ kills: 0, restarts: 0, resets: 0, cancels: 0, terminations: 0, duplicateStarts: 0, impostors: 0 },
  ...{ startedAgain: 0, days: 0, deserters: 0 },
});
