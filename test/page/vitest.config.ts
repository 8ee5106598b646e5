import { defineConfig } from 'vitest/config';

/** `npm run test:page`: the sandbox's page in a real browser. Without the Temporal server of all other tests. */
export default defineConfig({
  test: {
    include: ['test/page/*.test.ts'],
    hookTimeout: 60_000,
    testTimeout: 60_000,
  },
});
