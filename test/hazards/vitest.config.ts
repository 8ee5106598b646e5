import { defineConfig } from 'vitest/config';

/** `npm run test:hazards`: what Temporal itself can do to a plan. Many small waits for real servers; a minute or two. */
export default defineConfig({
  test: {
    include: ['test/hazards/*.test.ts'],
    globalSetup: ['test/rig/global-setup.ts'],
    maxWorkers: 2,
    hookTimeout: 120_000,
    testTimeout: 120_000,
  },
});
