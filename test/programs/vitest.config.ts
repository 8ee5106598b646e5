import { defineConfig } from 'vitest/config';
import { limits } from '../limits.js';

/** Tests that start whole programs, and wait for what these wait for: a busy port, a server that does not answer. */
export const programTests = [
  'test/demo.test.ts',
  'test/worker.test.ts',
  'test/sandbox/main.test.ts',
  'test/sandbox/temporal/*.test.ts',
  'test/client/{silence,watch}.test.ts',
  'test/ledger/two-processes.test.ts',
  'test/lint-guards.test.ts',
  'test/sandbox/memory.test.ts',
];

/** `npm run test:programs`. */
export default defineConfig({
  test: {
    ...limits,
    include: programTests,
    globalSetup: ['test/rig/global-setup.ts'],
    // Two at a time: some start several programs at once themselves.
    maxWorkers: 2,
  },
});
