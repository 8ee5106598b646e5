/**
 * @typedef {import('../overview.js').Overview & {
 *   faults: import('../sandbox.js').StoredFaultRule[],
 *   settings: Partial<import('../settings.js').Settings>,
 *   now: string,
 * }} State
 */

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<unknown>}
 */
async function call(method, path, body) {
  const response = await fetch(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const json = /** @type {unknown} */ (await response.json());
  if (response.ok) return json;
  throw new Error(/** @type {{ error: { message: string } }} */ (json).error.message);
}

/** A number that changes when anything does. */
export const readChanges = async () => /** @type {{ changes: number }} */ (await call('GET', 'health')).changes;

export const readState = async () => /** @type {State} */ (await call('GET', 'overview'));

/** @param {{ service: string, match: string, fault: string }} rule */
export const addFault = (rule) => call('POST', 'faults', rule);

export const clearFaults = () => call('DELETE', 'faults');

/** @param {string} duration */
export const advanceClock = async (duration) =>
  /** @type {{ now: string }} */ (await call('POST', 'clock', { advance: duration })).now;

export const reset = () => call('POST', 'reset');
