import { defineConfig } from 'vitest/config';

/** `npm run test:crash`: without the Temporal server that all other tests are given. */
export default defineConfig({
  test: {
    include: ['test/crash/*.test.ts'],
    env: { CRASH_ROUNDS: process.env['CRASH_ROUNDS'] ?? '20' },
  },
});
