import { exitCodes } from './exit-code.js';
import { reportLines } from './report-lines.js';
import type { Standing } from './standing.js';

/** Where a command's words go: with `--json` one document on stdout, and everything else on stderr. */
export interface Output {
  json: boolean;
  /** The stream for people. */
  stream: NodeJS.WriteStream;
}

export const createOutput = (json: boolean): Output => ({ json, stream: json ? process.stderr : process.stdout });

/** A command's result, in the one form or in the other. */
export function print({ json }: Output, document: unknown, lines: () => readonly string[]): void {
  process.stdout.write(`${json ? JSON.stringify(document) : lines().join('\n')}\n`);
}

/** A plan's report as a command's result. Returns the exit code. */
export function printReport(output: Output, standing: Standing): number {
  print(output, standing.report, () => reportLines(standing));
  return exitCodes[standing.report.status];
}
