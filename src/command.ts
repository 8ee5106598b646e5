import { InputError } from './plan/input-error.js';

/** A user's mistake or a missing service: one line on stderr, exit code 2, no stack trace. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Runs a command's main function. Its number is the exit code; a mistake ends it with 2, a fault of ours with 1. */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    const isMistake = error instanceof UsageError || error instanceof InputError;
    process.exitCode = isMistake ? 2 : 1;
    process.stderr.write(`${isMistake ? error.message : ((error as Error).stack ?? String(error))}\n`);
  }
}
