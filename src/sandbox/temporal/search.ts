/** What every step of the search for a program gets. */
export interface Search {
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
  /** Aborting it ends the search and every program that the search has started. */
  signal?: AbortSignal | undefined;
}
