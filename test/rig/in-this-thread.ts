/**
 * For the workers of tests: workflow code runs in the test's own thread, in the same sandbox as ever. A thread for each
 * worker costs half a second of CPU, hundreds of times.
 * The SDK's limit on the time of workflow code is off with it. The programs that tests start have both, as in production.
 */
export const inThisThread = { debugMode: true };
