import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { guardOrphan } from './orphan-guard.js';
import { signalGroup } from './signal-group.js';
import { keepTail } from './tail.js';

const STOP_GRACE_MS = 5_000; // a server at rest takes a little over one second

export interface ServerProcess {
  pid: number;
  /** Whether it has its ports: it prints its first line when it has started, and before that nothing but errors. */
  hasPorts: () => boolean;
  isRunning: () => boolean;
  /** How it ended and what it said last; pending while it runs. */
  ended: Promise<string>;
  /** Ends it and resolves when it is gone, ports and files with it. */
  stop: () => Promise<void>;
}

/** Starts a server as a child process and sees to it that it does not outlive this one. */
export async function runServer(
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  onErrorLine: (line: string) => void,
): Promise<ServerProcess> {
  const child = spawn(path, args, {
    env: withoutTemporal(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C at the terminal reaches us only, and we stop the server after those who use it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  let stopping = false;
  let hasPorts = false;
  child.stdout.on('data', () => (hasPorts = true));
  const tail = keepTail(child.stderr, (line) => {
    // What it says before it has started is the reason why it has not: that goes into the error. A server that is being
    // stopped complains about every poll that it has to cut.
    if (hasPorts && !stopping) onErrorLine(line);
  });
  await once(child, 'spawn');
  const pid = child.pid as number; // known from 'spawn' on

  child.once('exit', guardOrphan(pid));
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}${tail() && `: ${tail()}`}`));
  });
  const stop = async (): Promise<void> => {
    stopping = true;
    signalGroup(pid, 'SIGTERM');
    const force = setTimeout(() => signalGroup(pid, 'SIGKILL'), STOP_GRACE_MS);
    await ended;
    clearTimeout(force);
  };
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  return { pid, hasPorts: () => hasPorts, isRunning, ended, stop };
}

/** The CLI reads TEMPORAL_… as well: an address or a profile that is meant for clients must not reach the server. */
function withoutTemporal(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_')));
}
