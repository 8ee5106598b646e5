/**
 * For the workers of tests: workflow code runs in the test's own thread, in the same sandbox as ever. A thread for each
 * worker costs half a second of CPU, hundreds of times. The programs that tests start have threads, as in production.
 */
export const inThisThread = { debugMode: true };
