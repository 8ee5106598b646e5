import { exitCodes } from './exit-code.js';
import { reportLines } from './report-lines.js';
import type { Standing } from './standing.js';

/** A program's own streams, or a test's. */
export type Streams = Record<'stdout' | 'stderr', Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'rows'>>;

/** Where a command's words go: with `--json` one document on stdout, and everything else on stderr. */
export interface Output extends Streams {
  json: boolean;
  /** For people. */
  stream: Streams['stdout'];
}

export const createOutput = (json: boolean, { stdout, stderr }: Streams): Output => ({
  json,
  stdout,
  stderr,
  stream: json ? stderr : stdout,
});

/** A command's result, in the one form or in the other. */
export function print({ json, stdout }: Output, document: unknown, lines: () => readonly string[]): void {
  stdout.write(`${json ? JSON.stringify(document) : lines().join('\n')}\n`);
}

/** A plan's report as a command's result. Returns the exit code. */
export function printReport(output: Output, standing: Standing): number {
  print(output, standing.report, () => reportLines(standing));
  return exitCodes[standing.report.status];
}
