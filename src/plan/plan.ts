import { utf8ToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { forbiddenValues } from './forbidden-values.js';
import { type Fault, InputError, refuse } from './input-error.js';
import { formatPath } from './json-path.js';
import { type Plan, planSchema } from './plan-schema.js';
import { referenceFaults } from './references.js';
import { repeatedField } from './repeated-field.js';
import { words } from './words.js';

// Once for all schemas: this file is what reads a plan, a policy and the settings.
z.config({ customError: words });

/** 512 KB: far below the 2 MiB at which Temporal no longer takes a payload (and retries it for ever). */
const maximumPlanBytes = 512 * 1024;

/** Reads a plan file's text. Throws `InputError`. */
export function parsePlan(text: string): Plan {
  return validatePlan(parseJson('plan', text));
}

/** Reads a file's text. Some editors begin a file with a byte order mark, which is no JSON. Throws `InputError`. */
export function parseJson(what: string, file: string): unknown {
  const text = file.replace(/^\uFEFF/, '');
  const size = utf8ToBytes(text).length;
  refuse(what, size > maximumPlanBytes ? [{ path: '', message: `must be at most ${maximumPlanBytes / 1024} KB` }] : []);
  const json = readJson(what, text);
  const repeated = repeatedField(text);
  refuse(what, repeated === undefined ? [] : [{ path: repeated, message: 'stands twice in the same object' }]);
  return json;
}

function readJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text around the fault, which may be a secret.
    throw new InputError(what, [{ path: '', message: 'is not JSON' }]);
  }
}

/** The same checks for a plan that arrives as a value, e.g. as a workflow's argument. Returns it as it was. */
export function validatePlan(json: unknown): Plan {
  // First what is nested too deep: measuring the size would exhaust the stack.
  refuse('plan', forbiddenValues(json));
  refuse('plan', sizeFaults(json));
  const parsed = planSchema.safeParse(json);
  if (!parsed.success) refuse('plan', schemaFaults(parsed.error));
  const plan = json as Plan;
  refuse('plan', [...duplicateIds(plan), ...referenceFaults(plan)]);
  return plan;
}

/** zod's issues as faults; a field that is not known is named, since its path ends at its parent. */
export function schemaFaults(error: z.ZodError): Fault[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => ({ path: formatPath([...issue.path, name]), message: 'is not a known field' }))
      : [{ path: formatPath(issue.path), message: issue.message }],
  );
}

function sizeFaults(json: unknown): Fault[] {
  const bytes = utf8ToBytes(JSON.stringify(json ?? null)).length;
  return bytes > maximumPlanBytes ? [{ path: '', message: `must be at most ${maximumPlanBytes / 1024} KB` }] : [];
}

function duplicateIds(plan: Plan): Fault[] {
  const seen = new Set<string>();
  return plan.steps.flatMap(({ id }, index) => {
    if (id === undefined) return [];
    if (seen.has(id)) return [{ path: formatPath(['steps', index, 'id']), message: 'is used by an earlier step' }];
    seen.add(id);
    return [];
  });
}
