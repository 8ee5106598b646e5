/* What tests send along with a plan: how long an attempt waits, and when the next one comes. */

const soon = { initialInterval: '50ms', maximumInterval: '200ms' };

/** Waits long enough for an answer on a busy machine: a test that counts attempts must not see one too many. */
const patient = { requestTimeout: '8s', startToCloseTimeout: '20s', ...soon };
export const patientPolicy = { activity: patient };

/** For faults that answer at once. */
export const fewAttempts = { activity: { ...patient, maximumAttempts: 2 } };

/** For a request that is held while something else happens. */
export const unhurried = { activity: { ...patient, requestTimeout: '5m', startToCloseTimeout: '6m' } };

/** After an answer is lost nothing is on its way for a minute: the world can be changed without a race. */
export const longPauses = { activity: { ...patient, initialInterval: '1m', maximumInterval: '1m' } };

/** For faults that never answer: gives up soon, and on a busy machine once too often. */
export const impatientPolicy = { activity: { requestTimeout: '600ms', startToCloseTimeout: '2s', ...soon } };
