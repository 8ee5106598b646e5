import { defineConfig } from 'vitest/config';

/** `npm run test:starts`: a thousand plans by the client, for two minutes. */
export default defineConfig({
  test: {
    include: ['test/starts/*.test.ts'],
    globalSetup: ['test/rig/global-setup.ts'],
    hookTimeout: 120_000,
  },
});
