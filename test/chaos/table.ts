import type { Verdict } from './verdict.js';

/** A broken worker breaks nearly every plan; the JSON document has them all. */
const mostFindings = 30;

/** The verdict for people. */
export function table(verdict: Verdict): string {
  const { faults, unknowns, findings, ...numbers } = verdict;
  const row = ([name, value]: [string, unknown]): string => `  ${name.padEnd(20)}${String(value).padStart(8)}`;
  const kinds = Object.entries(faults).sort(([, one], [, other]) => other - one);
  return [
    ...Object.entries(numbers).map(row),
    ...['', '  Faults on the wires:', ...kinds.map(row)],
    ...[
      '',
      '  Unknown, and why:',
      ...unknowns.map(({ workflowId, step, reason }) => `  ${workflowId}/${step}: ${reason}`),
    ],
    ...[
      '',
      findings.length === 0 ? '  What was said and what happened agree.' : '  What was said and what happened differ:',
    ],
    ...findings
      .slice(0, mostFindings)
      .map(({ kind, workflowId, step, detail }) => `  ${kind} ${workflowId}/${step}: ${detail}`),
  ].join('\n');
}
