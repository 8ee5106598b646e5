import { z } from 'zod';
import { durationSchema } from './duration.js';
import { forbiddenValues } from './forbidden-values.js';
import { type Fault, refuse } from './input-error.js';
import { maximumSteps } from './plan-schema.js';
import { parseJson, schemaFaults } from './plan.js';

const hour = 3_600_000;

/**
 * Stripe may forget a key 24 h after its first use, and the ledger counts 23 h as old. A step must have ended well
 * before, so that none of its attempts asks under a key that is forgotten.
 */
const longestScheduleToClose = 20 * hour;

const amounts = z.record(z.string().regex(/^[a-z]{3}$/), z.int().min(0), {
  error: ({ code }) => (code === 'invalid_key' ? 'is not a three-letter currency code in lower case' : undefined),
});

const activitySchema = z.strictObject({
  /** One HTTP request to a provider. */
  requestTimeout: durationSchema.optional(),
  /** One attempt of an activity: a request and its bookkeeping. */
  startToCloseTimeout: durationSchema.optional(),
  /** All attempts together. */
  scheduleToCloseTimeout: durationSchema.optional(),
  initialInterval: durationSchema.optional(),
  maximumInterval: durationSchema.optional(),
  backoffCoefficient: z.number().min(1).max(10).optional(),
  // The SDK refuses 0 in workflow code, which would fail the workflow task for ever: no limit is written by leaving it out.
  maximumAttempts: z.int().min(1).optional(),
});

const policySchema = z.strictObject({
  /** The sum of one plan's charges, per currency. A currency that is not listed may not be charged at all. */
  limits: amounts.optional(),
  maxSteps: z.int().min(1).max(maximumSteps).optional(),
  /** A charge strictly above waits for a person. */
  approveAbove: amounts.optional(),
  approvalTimeout: durationSchema.optional(),
  /** Address patterns, `*` standing for anything but `@`. Not given means anyone. */
  recipients: z.array(z.string().min(1)).optional(),
  activity: activitySchema.optional(),
});

/** A policy as its file gives it; times are in ms. What is absent does not limit, or takes its default. */
export type Policy = z.infer<typeof policySchema>;

/** The activity settings in force, times in ms. */
export interface ActivitySettings {
  requestTimeout: number;
  startToCloseTimeout: number;
  scheduleToCloseTimeout: number;
  initialInterval: number;
  maximumInterval: number;
  backoffCoefficient: number;
  maximumAttempts?: number;
}

const defaultActivity: ActivitySettings = {
  requestTimeout: 10_000,
  startToCloseTimeout: 30_000,
  scheduleToCloseTimeout: longestScheduleToClose,
  initialInterval: 1_000,
  maximumInterval: 300_000,
  backoffCoefficient: 2,
};

/** A person has a day to decide, unless the policy says otherwise. */
export const defaultApprovalTimeout = 24 * hour;

export function parsePolicy(text: string): Policy {
  return validatePolicy(parseJson('policy', text));
}

/** Throws `InputError` for an unknown field, a wrong type or a policy that contradicts itself. */
export function validatePolicy(json: unknown): Policy {
  // A policy travels with the plan, into the same history.
  refuse('policy', forbiddenValues(json));
  const parsed = policySchema.safeParse(json);
  if (!parsed.success) refuse('policy', schemaFaults(parsed.error));
  const policy = parsed.data as Policy;
  activitySettings(policy);
  return policy;
}

/** The policy's activity settings with the defaults filled in. Throws `InputError` where they contradict each other. */
export function activitySettings(policy: Policy): ActivitySettings {
  const given = Object.fromEntries(Object.entries(policy.activity ?? {}).filter(([, value]) => value !== undefined));
  const settings = { ...defaultActivity, ...given };
  refuse('policy', contradictions(settings));
  return settings;
}

function contradictions(settings: ActivitySettings): Fault[] {
  const { requestTimeout, startToCloseTimeout, scheduleToCloseTimeout, initialInterval, maximumInterval } = settings;
  const rules: [boolean, string, string][] = [
    // An attempt must outlive its request, or its own report of the answer is what gets lost.
    [requestTimeout < startToCloseTimeout, 'requestTimeout', 'must be shorter than startToCloseTimeout'],
    [
      startToCloseTimeout <= scheduleToCloseTimeout,
      'startToCloseTimeout',
      'must not be longer than scheduleToCloseTimeout',
    ],
    [
      scheduleToCloseTimeout <= longestScheduleToClose,
      'scheduleToCloseTimeout',
      'must be at most 20h: Stripe forgets keys after 24h',
    ],
    [initialInterval <= maximumInterval, 'initialInterval', 'must not be longer than maximumInterval'],
  ];
  return rules.filter(([holds]) => !holds).map(([, field, message]) => ({ path: `activity.${field}`, message }));
}
