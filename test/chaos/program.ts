import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { guardOrphan } from '../../src/sandbox/temporal/orphan-guard.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** A worker drains what it has begun before it ends; one that does not end by then is killed. */
const stopTimeoutMs = 20_000;

/** One of our programs as a process of its own, to be killed and started again. */
export class Program {
  private child: ChildProcess | undefined;

  /** `script` is relative to this file, `folder` is where it runs. What it writes to stderr goes to `logFile`. */
  constructor(
    private readonly script: string,
    private readonly logFile: string,
    private readonly folder = root,
  ) {}

  /** Resolves with the JSON line that it prints when it is ready. */
  async start(env: NodeJS.ProcessEnv): Promise<unknown> {
    const path = fileURLToPath(new URL(this.script, import.meta.url));
    const child = spawn(process.execPath, [join(root, 'scripts/run.mjs'), path], {
      cwd: this.folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C at the terminal reaches us only, and we end our children in their order.
      detached: true,
    });
    this.child = child;
    await once(child, 'spawn');
    child.once('exit', guardOrphan(child.pid as number));
    child.stderr.pipe(createWriteStream(this.logFile, { flags: 'a' }));
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`${this.script} ended (${String(signal ?? code)}); see ${this.logFile}`);
    });
    // After it was ready, its end is looked for by `hasEnded`.
    ended.catch(() => undefined);
    const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
    return JSON.parse(line);
  }

  hasEnded(): boolean {
    return this.child?.exitCode !== null || this.child.signalCode !== null;
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async stop(): Promise<void> {
    const killer = setTimeout(() => this.child?.kill('SIGKILL'), stopTimeoutMs);
    await this.end('SIGTERM');
    clearTimeout(killer);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || this.hasEnded()) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
}
