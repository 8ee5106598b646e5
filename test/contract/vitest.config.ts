import { defineConfig } from 'vitest/config';

/** `npm run test:contract`: the sandbox against what Stripe itself publishes. Needs Go; see `stripe-mock.ts`. */
export default defineConfig({
  test: {
    // The simulator's own tests run once more, and every request they make is put to Stripe's program, too: `witness.ts`.
    include: ['test/contract/*.contract.ts', 'test/sandbox/stripe/*.test.ts'],
    globalSetup: ['test/contract/stripe-mock.ts'],
    // Compiling what an expanded PaymentIntent may contain takes tens of seconds on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The specification is 8 MB, and its parts are compiled as they are met: once, in one worker.
    isolate: false,
    fileParallelism: false,
  },
});
