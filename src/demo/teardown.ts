import { once } from 'node:events';

/** What was started, to be stopped in reverse order, once, whatever happens. */
export class Teardown {
  private readonly stops: (() => Promise<unknown>)[] = [];
  private isOver = false;

  /** What comes up only after everything was stopped is stopped at once. */
  add(stop: () => Promise<unknown>): void {
    if (this.isOver) void tryTo(stop);
    else this.stops.push(stop);
  }

  async run(): Promise<void> {
    for (let stop = this.stops.pop(); stop; stop = this.stops.pop()) await tryTo(stop);
    this.isOver = true;
  }
}

/** One part that fails to stop must not keep the others running. */
async function tryTo(stop: () => Promise<unknown>): Promise<void> {
  await stop().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  });
}

/** Rejects as soon as somebody asks for the end. */
export function whenStopped(signal: AbortSignal): Promise<never> {
  const stopped = once(signal, 'abort').then(() => {
    throw new Error('stopped');
  });
  // Nobody may be waiting for it at that moment.
  stopped.catch(() => undefined);
  return stopped;
}
