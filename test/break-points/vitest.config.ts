import { defineConfig } from 'vitest/config';

/** `npm run test:break-points`: each case starts two or three worker processes, so these take minutes. */
export default defineConfig({
  test: {
    include: ['test/break-points/*.test.ts'],
    globalSetup: ['test/rig/global-setup.ts'],
    // More processes that start at once than the machine has cores only wait for each other.
    maxConcurrency: 3,
    hookTimeout: 120_000,
    testTimeout: 120_000,
  },
});
