/**
 * Ways to break the workers that people have broken theirs:
 * `uuid` makes a new key for each request, `no-key` sends none, `no-ledger` forgets what was recorded,
 * `settle-first` records that a step succeeded before it is tried.
 */
export const sabotages = ['uuid', 'no-key', 'no-ledger', 'settle-first'] as const;
export type SabotageName = (typeof sabotages)[number];
