import { defineConfig } from 'vitest/config';
import { limits } from '../limits.js';

/** `npm run test:hazards`: what Temporal itself can do to a plan. Many small waits for real servers; a minute or two. */
export default defineConfig({
  test: {
    ...limits,
    include: ['test/hazards/*.test.ts'],
    globalSetup: ['test/rig/global-setup.ts'],
    maxWorkers: 2,
  },
});
