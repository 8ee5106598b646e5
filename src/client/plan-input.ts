import { readInputFile } from '../config.js';
import { InputError, refuse } from '../plan/input-error.js';
import type { Plan } from '../plan/plan-schema.js';
import { parsePlan } from '../plan/plan.js';
import { parsePolicy, type Policy } from '../plan/policy.js';
import { workflowIdFault } from '../plan/workflow-id.js';
import { repeatedField } from './repeated-field.js';

/** Throws `InputError`. */
export const readPlan = (path: string): Plan => read('plan', path, parsePlan);

/** Throws `InputError`. */
export const readPolicy = (path: string | undefined): Policy =>
  path === undefined ? {} : read('policy', path, parsePolicy);

function read<Document>(what: string, path: string, parse: (text: string) => Document): Document {
  // Some editors begin a file with a byte order mark, which is no JSON.
  const text = readInputFile(what, path).replace(/^\uFEFF/, '');
  const document = parse(text);
  const repeated = repeatedField(text);
  refuse(what, repeated === undefined ? [] : [{ path: repeated, message: 'stands twice in the same object' }]);
  return document;
}

/** Throws `InputError` for an id that no plan can have. */
export function checkWorkflowId(id: string): string {
  const message = workflowIdFault(id);
  if (message !== undefined) throw new InputError('workflow id', [{ path: '', message }]);
  return id;
}
