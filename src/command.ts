import { Command } from 'commander';
import { InputError } from './plan/input-error.js';

/** A user's mistake or a missing service: one line on stderr, exit code 2, no stack trace. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** 1 is what a crash exits with. */
const usageExitCode = 2;

/** A program's options: a wrong one is one line on stderr and exit code 2. */
export const programNamed = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .configureOutput({ outputError: (text, write) => write(`${inOneLine(text.replace(/^error: /, ''))}\n`) })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageExitCode));

const inOneLine = (text: string): string => text.trim().replaceAll('\n', ' ');

/** Runs a command's main function. Its number is the exit code; a mistake ends it with 2, a fault of ours with 1. */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    const isMistake = error instanceof UsageError || error instanceof InputError;
    process.exitCode = isMistake ? usageExitCode : 1;
    process.stderr.write(`${isMistake ? error.message : ((error as Error).stack ?? String(error))}\n`);
  }
}
