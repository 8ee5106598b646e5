import { realDelay, type Delay } from '../../src/sandbox/delay.js';

/** As the `delayMs` of a fault: until the test releases it, however long that takes. */
export const untilReleased = 3_600_000;

export interface HeldDelays {
  /** For `startSandbox`. */
  delay: Delay;
  /** Lets all that is held go on; what comes later is held again. */
  release: () => void;
}

/** A test that needs a request to be on its way while something else happens does not bet on how long that takes. */
export function heldDelays(): HeldDelays {
  let released = new AbortController();
  return {
    delay: (ms, gone) => realDelay(ms, ms === untilReleased ? either(released.signal, gone) : gone),
    release() {
      released.abort();
      released = new AbortController();
    },
  };
}

const either = (one: AbortSignal, other?: AbortSignal): AbortSignal => (other ? AbortSignal.any([one, other]) : one);
