import { proxyActivities } from '@temporalio/workflow';
import type { Plan } from '../../plan/plan-schema.js';
import type { BrokenActivities } from './activities.js';

/** Do not copy. The same steps with the same time-outs and retries; only the keys are missing from the plan. */
export async function brokenPlan(plan: Plan, startToCloseTimeout: number, initialInterval: number): Promise<string[]> {
  const { charge, email } = proxyActivities<BrokenActivities>({ startToCloseTimeout, retry: { initialInterval } });
  const ids: string[] = [];
  for (const step of plan.steps) {
    if (step.tool === 'charge') ids.push((await charge(step.args)).id);
    if (step.tool === 'email') ids.push((await email(step.args)).id);
  }
  return ids;
}
