import { defineConfig } from 'vitest/config';
import { limits } from '../limits.js';

/** `npm run test:crash`: without the Temporal server that all other tests are given. */
export default defineConfig({
  test: {
    ...limits,
    include: ['test/crash/*.test.ts'],
    env: { CRASH_ROUNDS: process.env['CRASH_ROUNDS'] ?? '20' },
  },
});
