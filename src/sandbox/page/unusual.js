/** Two clocks are never quite the same, and a state takes a moment to be drawn; `POST /clock` is for hours. */
const sameClockMs = 30_000;

/**
 * What was changed and explains much of what is on the page, in words: whoever sees a key with two effects must also see
 * that keys are ignored.
 *
 * @param {import('./calls.js').State} state
 * @returns {string[]}
 */
export function unusual({ now, settings: { ignoreKeys, neverPrune, rateLimit, searchLagMs } }) {
  const ahead = Date.parse(now) - Date.now();
  return [
    ahead > sameClockMs ? `the clock is ${duration(ahead)} ahead` : '',
    ignoreKeys ? 'keys are ignored' : '',
    neverPrune ? 'keys are never pruned' : '',
    rateLimit === undefined ? '' : `at most ${rateLimit} requests per second`,
    searchLagMs === undefined ? '' : `search lags by ${searchLagMs / 1000} s`,
  ].filter((text) => text !== '');
}

/** @param {number} ms */
function duration(ms) {
  const minutes = Math.round(ms / 60_000);
  return [`${Math.floor(minutes / 60)} h`, `${minutes % 60} min`].filter((part) => !part.startsWith('0 ')).join(' ');
}
