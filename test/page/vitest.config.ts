import { defineConfig } from 'vitest/config';
import { limits } from '../limits.js';

/** `npm run test:page`: the sandbox's page in a real browser. Without the Temporal server of all other tests. */
export default defineConfig({
  test: {
    ...limits,
    include: ['test/page/*.test.ts'],
  },
});
