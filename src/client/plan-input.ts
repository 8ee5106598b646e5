import { readInputFile } from '../config.js';
import { InputError } from '../plan/input-error.js';
import type { Plan } from '../plan/plan-schema.js';
import { parsePlan } from '../plan/plan.js';
import { parsePolicy, type Policy } from '../plan/policy.js';
import { workflowIdFault } from '../plan/workflow-id.js';

/** Throws `InputError`. */
export const readPlan = (path: string): Plan => parsePlan(readInputFile('plan', path));

/** Throws `InputError`. */
export const readPolicy = (path: string | undefined): Policy =>
  path === undefined ? {} : parsePolicy(readInputFile('policy', path));

/** Throws `InputError` for an id that no plan can have. */
export function checkWorkflowId(id: string): string {
  const message = workflowIdFault(id);
  if (message !== undefined) throw new InputError('workflow id', [{ path: '', message }]);
  return id;
}
