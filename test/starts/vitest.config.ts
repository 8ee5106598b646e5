import { defineConfig } from 'vitest/config';
import { limits } from '../limits.js';

/** `npm run test:starts`: a thousand plans by the client, for two minutes. */
export default defineConfig({
  test: {
    ...limits,
    include: ['test/starts/*.test.ts'],
    globalSetup: ['test/rig/global-setup.ts'],
  },
});
