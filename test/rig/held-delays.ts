import { vi } from 'vitest';
import { realDelay, type Delay } from '../../src/sandbox/delay.js';
import { patience } from '../limits.js';

/** As the `delayMs` of a fault: until the test releases it, however long that takes. */
export const untilReleased = 3_600_000;

export interface HeldDelays {
  /** For `startSandbox`. */
  delay: Delay;
  /** Lets what is held go on, as soon as something is. */
  release: () => Promise<void>;
  /** Lets everything go on, for whoever closes the sandbox. */
  end: () => void;
}

/** A test that needs a request to be on its way while something else happens does not bet on how long that takes. */
export function heldDelays(): HeldDelays {
  const held = new Set<AbortController>();
  const end = (): void => {
    for (const hold of held) hold.abort();
  };
  return {
    async delay(ms, gone) {
      if (ms !== untilReleased) return realDelay(ms, gone);
      const hold = new AbortController();
      held.add(hold);
      await realDelay(ms, gone ? AbortSignal.any([hold.signal, gone]) : hold.signal);
      held.delete(hold);
    },
    async release() {
      await vi.waitUntil(() => held.size > 0, patience);
      end();
    },
    end,
  };
}
