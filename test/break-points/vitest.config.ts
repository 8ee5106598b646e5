import { defineConfig } from 'vitest/config';
import { limits } from '../limits.js';

/** `npm run test:break-points`: each case starts two or three worker processes, so these take minutes. */
export default defineConfig({
  test: {
    ...limits,
    include: ['test/break-points/*.test.ts'],
    globalSetup: ['test/rig/global-setup.ts'],
    // More processes that start at once than the machine has cores only wait for each other.
    maxConcurrency: 3,
  },
});
