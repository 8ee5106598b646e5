import { expect } from 'vitest';
import { runClient } from '../../src/client/program.js';
import { UsageError } from '../../src/command.js';
import { InputError } from '../../src/plan/input-error.js';

/** What came of one command. */
export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}

/** One command in this very process, as `main.ts` runs it. */
export async function runHere(args: readonly string[]): Promise<Finished> {
  const said = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof said) => ({
    ...{ isTTY: false, columns: 80, rows: 24 },
    write(text: Uint8Array | string) {
      said[name] += text.toString();
      return true;
    },
  });
  const begun = Date.now();
  const finished = (code: number): Finished => ({ ...said, code, ms: Date.now() - begun });
  try {
    return finished(await runClient(args, { stdout: stream('stdout'), stderr: stream('stderr') }));
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof InputError)) throw error;
    said.stderr += `${error.message}\n`;
    return finished(2);
  }
}

/** Refused: nothing on stdout, one line on stderr, exit code 2. */
export function expectRefusal({ code, stdout, stderr }: Finished, reason: RegExp): void {
  expect({ code, stdout, lines: stderr.split('\n').length }, stderr).toEqual({ code: 2, stdout: '', lines: 2 });
  expect(stderr).toMatch(reason);
}
