import { defineConfig } from 'vitest/config';
import { limits } from './test/limits.js';
import { programTests } from './test/programs/vitest.config.js';

export default defineConfig({
  test: {
    ...limits,
    include: ['test/**/*.test.ts'],
    exclude: [
      ...programTests,
      // `npm run test:page`: needs a browser.
      'test/page/**',
      // `npm run test:break-points`: minutes of starting and killing workers.
      'test/break-points/**',
      // `npm run test:starts`: a thousand plans, for two minutes.
      'test/starts/**',
      // `npm run test:hazards`: minutes of resets, restarts and plans by the dozen.
      'test/hazards/**',
      // These need a server: `npm run test:postgres`, which also runs the system tests on it.
      ...(process.env['TEST_POSTGRES_URL'] ? [] : ['test/**/*postgres*.test.ts']),
    ],
    globalSetup: ['test/rig/global-setup.ts'],
    // The default leaves one core of two idle; most tests wait for a server more than they compute.
    maxWorkers: 2,
  },
});
