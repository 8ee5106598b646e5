/*
 * When a test is given up. Only what never happens takes so long, on however busy a machine: nothing is measured with these.
 */

/** For one thing that is waited for. */
export const patience = { timeout: 120_000, interval: 50 };

/** For a whole test. */
export const limits = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: patience } };
