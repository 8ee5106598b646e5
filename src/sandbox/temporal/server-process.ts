import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { guardOrphan } from './orphan-guard.js';
import { keepTail } from './tail.js';

const STOP_GRACE_MS = 5_000; // a server at rest takes about one second

export interface ServerProcess {
  pid: number;
  /** How it ended and what it said last; pending while it runs. */
  ended: Promise<string>;
  /** Whether it still runs. */
  running(): boolean;
  /** Ends it and resolves when it is gone, ports and files with it. Never takes much longer than the grace time. */
  stop: () => Promise<void>;
}

/** Starts a server as a child process and sees to it that it does not outlive this one. */
export async function runServer(
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  onLine: (line: string) => void,
): Promise<ServerProcess> {
  const child = spawn(path, args, {
    env: withoutTemporal(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C at the terminal reaches us only, and we stop the server after those who use it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  await once(child, 'spawn');
  const pid = child.pid as number; // known from 'spawn' on
  const release = guardOrphan(pid);
  const tail = keepTail([child.stdout, child.stderr], onLine);
  const ended = new Promise<string>((resolve) => {
    child.once('exit', release); // at once: from here on the pid may be somebody else's
    child.once('close', (code, signal) => {
      resolve(`ended with ${signal ?? `code ${code}`}${tail() && `: ${tail()}`}`);
    });
  });
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  const stop = async (): Promise<void> => {
    if (running()) child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
    await ended;
    clearTimeout(force);
  };
  return { pid, ended, running, stop };
}

/** The CLI reads TEMPORAL_… as well: an address or a profile that is meant for clients must not reach the server. */
function withoutTemporal(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_')));
}
