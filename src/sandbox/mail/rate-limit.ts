const windowMs = 1000;

/** Lets `limit()` requests through in each second; 0 lets all through. Nothing is saved: the next second is a new one. */
export function createRateLimit(limit: () => number): (now: number) => boolean {
  let second = 0;
  let used = 0;
  return (now) => {
    const current = Math.floor(now / windowMs);
    if (current !== second) [second, used] = [current, 0];
    used += 1;
    return limit() === 0 || used <= limit();
  };
}
