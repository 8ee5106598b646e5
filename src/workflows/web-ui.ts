import { cut, maximumDetailsBytes, maximumSummaryBytes, utf8Bytes } from '../plan/cut.js';
import { describeStep } from '../plan/describe-step.js';
import type { Step } from '../plan/plan-schema.js';
import type { StepReport } from '../plan/report.js';

/** One line for an activity: which step, what, how much, under which key. */
export function stepSummary(step: Step, { index, key }: Pick<StepReport, 'index' | 'key'>): string {
  return cut(`step ${index} · ${describeStep(step)}${key === undefined ? '' : ` · ${key}`}`, maximumSummaryBytes);
}

/** The steps as a Markdown table; what does not fit is counted. */
export function detailsTable(steps: readonly StepReport[]): string {
  let table = '| step | tool | status | attempts | key |\n|---|---|---|---|---|\n';
  // Counted on, not anew: the table is made again for every change of a thousand steps.
  let bytes = utf8Bytes(table);
  for (const { index, id, tool, status, attempts, key, error } of steps) {
    const state = error ? `${status}: ${error.code ?? error.type}` : status;
    const row = `| ${index}${id === undefined ? '' : ` ${id}`} | ${tool} | ${state} | ${attempts} | ${key ?? '–'} |\n`;
    const rest = `\n… and ${steps.length - index} more steps\n`;
    bytes += utf8Bytes(row);
    if (bytes + utf8Bytes(rest) > maximumDetailsBytes) return table + rest;
    table += row;
  }
  return table;
}
