import { findProgram } from './find-program.js';
import { timeSkippingServer } from './program.js';
import type { Search } from './search.js';

/**
 * The path of the time-skipping server, for
 * `TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } })`.
 */
export function findTestServer(search: Partial<Search> = {}): Promise<string> {
  return findProgram(timeSkippingServer, { env: process.env, log: () => undefined, ...search });
}
