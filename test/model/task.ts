/** What a task waits for: the scheduler performs it, or answers it. */
interface Call {
  label: string;
  /** Absent for what others answer: a request on its way to the provider, an activity. */
  perform: (() => Promise<unknown>) | undefined;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

type Result = { value: unknown } | { error: unknown };

/**
 * Real code that runs only when the scheduler lets it. It stops at every call to the world, and nothing else of the
 * model runs meanwhile; so a course of events is the list of what the scheduler chose, and can be run again.
 */
export class Task {
  /** What it heard so far. The code is deterministic, so this stands for where it is and what it knows. */
  readonly heard: unknown[] = [];
  /** How it ended. */
  outcome: Result | undefined;
  /** The call was performed, but its answer is not heard yet: the process stands still. */
  paused: Result | undefined;
  private call: Call | undefined;
  private stopped: () => void = () => undefined;

  constructor(readonly name: string) {}

  /** What it waits for. */
  get waitsFor(): Call | undefined {
    return this.outcome ? undefined : this.call;
  }

  async start(code: () => Promise<unknown>): Promise<void> {
    await this.run(() => {
      code().then(
        (value) => this.end({ value }),
        (error: unknown) => this.end({ error }),
      );
    });
  }

  /** For the code: stops until the scheduler goes on. */
  stop<Value>(label: string, perform?: () => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      this.call = { label, perform, resolve: resolve as Call['resolve'], reject };
      this.stopped();
    });
  }

  /** Performs what it waits for, without letting it know. */
  async perform(): Promise<Result> {
    try {
      return { value: await this.call?.perform?.() };
    } catch (error) {
      return { error };
    }
  }

  /** Lets it hear `result`, and run until it stops again. */
  async resume(result: Result): Promise<void> {
    const { call } = this;
    this.call = undefined;
    this.paused = undefined;
    this.heard.push(call?.label, 'error' in result ? String(result.error) : result.value);
    await this.run(() => ('error' in result ? call?.reject(result.error) : call?.resolve(result.value)));
  }

  private async run(go: () => void): Promise<void> {
    const stops = new Promise<void>((resolve) => (this.stopped = resolve));
    go();
    await stops;
  }

  private end(outcome: Result): void {
    this.outcome = outcome;
    this.stopped();
  }
}
