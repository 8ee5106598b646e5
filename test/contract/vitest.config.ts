import { defineConfig } from 'vitest/config';
import { limits } from '../limits.js';

/** `npm run test:contract`: the sandbox against what Stripe itself publishes. Needs Go; see `stripe-mock.ts`. */
export default defineConfig({
  test: {
    ...limits,
    // The simulator's own tests run once more, and every request they make is put to Stripe's program, too: `witness.ts`.
    include: ['test/contract/*.contract.ts', 'test/sandbox/stripe/*.test.ts'],
    globalSetup: ['test/contract/stripe-mock.ts'],
    // The specification is 8 MB, and its parts are compiled as they are met: once, in one worker.
    isolate: false,
    fileParallelism: false,
  },
});
