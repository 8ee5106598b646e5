import { formatAmount } from '../plan/money.js';
import type { StepReport } from '../plan/report.js';
import { describeStep } from '../workflows/web-ui.js';
import type { Standing } from './standing.js';
import { columns, oneLine, shellQuote } from './text.js';

/** How the commands of this program are typed. */
export const clientCommand = 'npm run -s client --';

/** One row a step: index and id, what, status, attempts, and what is known about it. */
export function stepRows({ report, plan, lastFailure }: Standing): string[][] {
  return report.steps.map((step) => {
    const { index, id, tool, status, attempts } = step;
    const written = plan?.steps[index];
    return [
      id === undefined ? String(index) : `${index} ${id}`,
      oneLine(written ? describeStep(written) : tool),
      status.replaceAll('_', ' '),
      attempts > 0 ? `attempt ${attempts}` : '',
      oneLine(news(step, lastFailure)),
    ];
  });
}

function news({ status, result, error, approval }: StepReport, lastFailure?: string): string {
  // An unknown outcome is the status already.
  if (status === 'outcome_unknown') return '';
  if (error) return [error.code ?? error.type, error.decline_code].filter((part) => part !== undefined).join(' · ');
  if (status === 'running') return lastFailure ? `last: ${lastFailure}` : '';
  if (result) return 'amount' in result ? `${result.id} ${formatAmount(result.amount, result.currency)}` : result.id;
  if (!approval) return '';
  return approval.approve ? `approved${approval.note === undefined ? '' : `: ${approval.note}`}` : 'rejected';
}

/** The whole report for people. */
export function reportLines(standing: Standing): string[] {
  const { workflowId, status } = standing.report;
  return [
    `${oneLine(workflowId)}: ${status.replaceAll('_', ' ')}`,
    ...columns(stepRows(standing)).map((line) => `  ${line}`),
    ...explanations(standing),
    ...awaited(standing),
  ];
}

/** For each step that went wrong: what happened, and what a person should do. */
const explanations = ({ report }: Standing): string[] =>
  report.steps.flatMap(({ index, error }) => (error ? [`Step ${index}: ${oneLine(error.message)}`] : []));

/** For each step that waits for a person: how to answer. */
export function awaited({ report }: Standing): string[] {
  return report.steps
    .filter(({ status, approval }) => status === 'waiting_for_approval' && !approval)
    .flatMap(({ index, id }) => {
      const step = `${shellQuote(report.workflowId)} ${id ?? index}`;
      return [
        `Step ${index} waits for a person. To answer:`,
        `  ${clientCommand} approve ${step}`,
        `  ${clientCommand} reject ${step}`,
      ];
    });
}
