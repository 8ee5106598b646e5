import { idempotencyKey } from './idempotency-key.js';
import type { Plan } from './plan-schema.js';
import type { StepReport } from './report.js';

/** How a plan's steps stand before the first one runs: every step with a side effect has its key. */
export function plannedSteps(plan: Plan, namespace: string, workflowId: string): StepReport[] {
  return plan.steps.map(({ id, tool }, stepIndex) => ({
    index: stepIndex,
    ...(id === undefined ? {} : { id }),
    tool,
    ...(tool === 'lookup_charge' ? {} : { key: idempotencyKey({ namespace, workflowId, stepIndex, purpose: 'do' }) }),
    status: 'pending',
    attempts: 0,
    replays: 0,
  }));
}
