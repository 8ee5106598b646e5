/** What was started, to be stopped in reverse order, once, whatever happens. */
export class Teardown {
  private readonly stops: (() => Promise<unknown>)[] = [];

  add(stop: () => Promise<unknown>): void {
    this.stops.push(stop);
  }

  /** One part that fails to stop must not keep the others running. */
  async run(): Promise<void> {
    for (let stop = this.stops.pop(); stop; stop = this.stops.pop()) {
      await stop().catch((error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      });
    }
  }
}
