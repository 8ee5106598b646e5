import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

export interface RunningScript {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  /** The exit code, when it and everything that writes to its pipes has ended. */
  exit: Promise<number | null>;
}

/** Runs a TypeScript file as a child process, directly: a signal to `child` reaches the script itself. */
export function runScript(file: URL, args: readonly string[] = [], env = process.env): RunningScript {
  const child = spawn(process.execPath, ['--import', 'tsx', file.pathname, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exit = once(child, 'close').then(([code]) => code as number | null);
  return { child, stdout: () => stdout, stderr: () => stderr, exit };
}
