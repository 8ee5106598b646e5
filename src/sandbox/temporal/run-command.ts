import { execFile } from 'node:child_process';
import type { Search } from './search.js';

export interface CommandResult {
  ok: boolean;
  /** Standard output and error, or why the command could not run at all. */
  output: string;
}

const OUTPUT_LIMIT_BYTES = 4 * 1024 * 1024; // far above what pip prints; beyond it the command is broken

/** Runs a command to its end, or to `limitMs`. Only an abort rejects: a command that fails is an answer, too. */
export function runCommand(
  [file, ...args]: readonly [string, ...string[]],
  { env, signal }: Pick<Search, 'env' | 'signal'>,
  limitMs: number,
): Promise<CommandResult> {
  // SIGKILL: a command that ignores SIGTERM must not outlive its limit.
  const options = { env, signal, timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: OUTPUT_LIMIT_BYTES } as const;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    execFile(file, args, options, (error, stdout, stderr) => {
      if (signal?.aborted) reject(signal.reason as Error);
      else if (error?.code === 'ENOENT') resolve({ ok: false, output: `${file} was not found` });
      else if (error?.killed) resolve({ ok: false, output: `${file} gave no answer within ${limitMs / 1000} s` });
      else resolve({ ok: !error, output: `${stdout}${stderr}`.trim() || (error?.message ?? '') });
    });
  });
}
