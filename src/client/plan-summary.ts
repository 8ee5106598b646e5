import { cut, maximumDetailsBytes, maximumSummaryBytes } from '../plan/cut.js';
import { describeStep } from '../plan/describe-step.js';
import type { Plan } from '../plan/plan-schema.js';
import { oneLine } from './text.js';

/** One line about a plan, for the Web UI and for `list`: its goal, or what its steps do. */
export function planSummary({ goal, steps }: Plan): string {
  const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`;
  return cut(oneLine(goal ?? `${count}: ${steps.map(describeStep).join(', ')}`), maximumSummaryBytes);
}

/** The steps as a Markdown list. */
export function planDetails({ goal, steps }: Plan): string {
  const list = steps.map((step, index) => `- **${index}** ${step.id ?? ''} ${describeStep(step)}`).join('\n');
  return cut(goal === undefined ? list : `${oneLine(goal)}\n\n${list}`, maximumDetailsBytes);
}
