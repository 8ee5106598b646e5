import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A program and all that it starts, however deep: they inherit a mark in their environment. */
export interface Family {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  /** The exit code and the signal that ended it. */
  ended: Promise<[number | null, NodeJS.Signals | null]>;
  /** The command lines of those that are alive (Linux: the others have no /proc). */
  alive: () => string[];
  /** What Ctrl-C at a terminal does: the signal goes to the whole group. */
  interrupt: () => void;
}

/** Runs `npm run -s …` in the project, in a process group of its own, as a shell does. Nothing outlives the test. */
export function npmRun(args: readonly string[], env: NodeJS.ProcessEnv = {}): Family {
  const mark = randomUUID();
  const child = spawn('npm', ['run', '-s', ...args], {
    cwd: root,
    env: { ...process.env, ...env, FAMILY_MARK: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  onTestFinished(() => {
    for (const { pid } of members(mark)) process.kill(pid, 'SIGKILL');
  });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended: once(child, 'close') as Family['ended'],
    alive: () => members(mark).map(({ command }) => command),
    interrupt: () => process.kill(-(child.pid as number), 'SIGINT'),
  };
}

function members(mark: string): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      if (!/^\d+$/.test(name) || !readFileSync(`/proc/${name}/environ`, 'utf8').includes(mark)) return [];
      return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
    } catch {
      return []; // it has ended in the meantime
    }
  });
}
