import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Teardown } from './teardown.js';

/** A worker drains what it has begun before it ends; one that does not end by then is killed. */
const stopTimeoutMs = 20_000;

/**
 * Starts `src/worker.ts` as a process of its own and resolves when it is ready. It is on the teardown's list from the
 * moment it exists. Throws with what it said if it ends before.
 */
export async function startWorker(env: NodeJS.ProcessEnv, folder: string, teardown: Teardown): Promise<void> {
  const command = ['../../scripts/run.mjs', '../worker.ts'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  // In a folder of its own: a `.env` file is for other occasions.
  const child = spawn(process.execPath, command, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  teardown.add(() => stop(child));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ready = once(createInterface(child.stdout), 'line');
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the worker ended with exit code ${String(code)}: ${said.trim()}`);
  });
  // After it was ready, its end is of no interest here.
  ended.catch(() => undefined);
  await Promise.race([ready, ended]);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const killer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(killer);
}
