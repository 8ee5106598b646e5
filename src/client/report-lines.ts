import { describeStep } from '../plan/describe-step.js';
import { formatAmount } from '../plan/money.js';
import type { StepReport } from '../plan/report.js';
import type { StepResult } from '../plan/results.js';
import type { Standing } from './standing.js';
import { columns, oneLine, shellQuote } from './text.js';

/** How the commands of this program are typed. */
export const clientCommand = 'npm run -s client --';

/** One row a step: index and id, what, status, attempts, and what is known about it. */
export function stepRows({ report, plan, attempt }: Standing): string[][] {
  return report.steps.map((step) => {
    const { index, id, tool } = step;
    const written = plan?.steps[index];
    const now = attempt?.index === index ? attempt : undefined;
    const attempts = now?.number ?? step.attempts;
    return [
      id === undefined ? String(index) : `${index} ${id}`,
      oneLine(written ? describeStep(written) : tool),
      now && step.status !== 'running' ? 'undoing' : step.status.replaceAll('_', ' '),
      attempts > 0 ? `attempt ${attempts}` : '',
      oneLine(now?.lastFailure ? `last: ${now.lastFailure}` : news(step)),
    ];
  });
}

function news({ status, result, error, approval, undo }: StepReport): string {
  // An unknown outcome is the status already.
  if (status === 'outcome_unknown') return '';
  if (error) return [error.code ?? error.type, error.decline_code].filter((part) => part !== undefined).join(' · ');
  if (undo?.result) return `given back: ${reference(undo.result)}`;
  if (result) return reference(result);
  if (!approval) return '';
  return approval.approve ? `approved${approval.note === undefined ? '' : `: ${approval.note}`}` : 'rejected';
}

const reference = (result: StepResult): string =>
  'amount' in result ? `${result.id} ${formatAmount(result.amount, result.currency)}` : result.id;

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
  report.steps.flatMap(({ index, error, undo }) => [
    ...(error ? [`Step ${index}: ${oneLine(error.message)}`] : []),
    ...(undo?.error ? [`Undo of step ${index}: ${oneLine(undo.error.message)}`] : []),
  ]);

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
