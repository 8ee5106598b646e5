import { formatAmount } from '../plan/money.js';
import type { Step } from '../plan/plan-schema.js';
import type { StepReport } from '../plan/report.js';

// The server cuts neither of them, so we do (docs.temporal.io/ui, "user metadata").
export const maximumSummaryBytes = 400;
export const maximumDetailsBytes = 20_000;

/** One line for an activity: which step, what, how much, under which key. */
export function stepSummary(step: Step, { index, key }: Pick<StepReport, 'index' | 'key'>): string {
  return cut(`step ${index} · ${describeStep(step)}${key === undefined ? '' : ` · ${key}`}`, maximumSummaryBytes);
}

/** What a step does, in a few words: `charge $25.00`, `email to ada@example.com`. */
export function describeStep({ tool, args }: Step): string {
  const amount = 'amount' in args ? args.amount : undefined;
  if ('to' in args) return `${tool} to ${args.to}`;
  if ('currency' in args) return `${tool} ${formatAmount(args.amount, args.currency)}`;
  return amount === undefined ? `${tool} of ${args.charge}` : `${tool} ${amount} of ${args.charge}`;
}

/** The steps as a Markdown table; what does not fit is counted. */
export function detailsTable(steps: readonly StepReport[]): string {
  let table = '| step | tool | status | attempts | key |\n|---|---|---|---|---|\n';
  for (const { index, id, tool, status, attempts, key, error } of steps) {
    const state = error ? `${status}: ${error.code ?? error.type}` : status;
    const row = `| ${index}${id === undefined ? '' : ` ${id}`} | ${tool} | ${state} | ${attempts} | ${key ?? '–'} |\n`;
    const rest = `\n… and ${steps.length - index} more steps\n`;
    if (bytes(table + row + rest) > maximumDetailsBytes) return table + rest;
    table += row;
  }
  return table;
}

const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** Cut between characters, never within one. */
export function cut(text: string, maximum: number): string {
  if (bytes(text) <= maximum) return text;
  let kept = '';
  for (const character of text) {
    if (bytes(`${kept}${character}…`) > maximum) break;
    kept += character;
  }
  return `${kept}…`;
}
