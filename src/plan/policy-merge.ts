import { type ActivitySettings, activitySettings, defaultApprovalTimeout, type Policy } from './policy.js';

/** The limits in force for one plan; times in ms. */
export interface EffectivePolicy {
  approveAbove: Record<string, number>;
  approvalTimeout: number;
  activity: ActivitySettings;
}

type Activity = NonNullable<Policy['activity']>;

/** These limit what a plan may do, so the smaller one holds. */
const limiting = ['requestTimeout', 'startToCloseTimeout', 'scheduleToCloseTimeout', 'maximumAttempts'] as const;
/** These pace the retries, so the slower one holds. */
const pacing = ['initialInterval', 'maximumInterval', 'backoffCoefficient'] as const;

/**
 * The worker's policy is the authority: where it gives a value, the client's may only tighten it. Where it gives none,
 * the client's holds. Defaults are filled in last, so that a default never overrules what somebody wrote.
 * (Spending caps, `maxSteps` and `recipients` need no merging: a plan is checked against both policies.)
 * Throws `InputError` where the two together contradict each other.
 */
export function mergePolicies(worker: Policy, client: Policy): EffectivePolicy {
  const activity: Activity = {};
  for (const field of limiting) assign(activity, field, Math.min, worker.activity?.[field], client.activity?.[field]);
  for (const field of pacing) assign(activity, field, Math.max, worker.activity?.[field], client.activity?.[field]);
  const timeouts = [worker.approvalTimeout, client.approvalTimeout].filter((value) => value !== undefined);
  return {
    approveAbove: lowerOfEach(worker.approveAbove ?? {}, client.approveAbove ?? {}),
    approvalTimeout: timeouts.length > 0 ? Math.min(...timeouts) : defaultApprovalTimeout,
    activity: activitySettings({ activity }),
  };
}

function assign(
  target: Activity,
  field: keyof Activity,
  choose: (...values: number[]) => number,
  ...values: (number | undefined)[]
): void {
  const given = values.filter((value) => value !== undefined);
  if (given.length > 0) target[field] = choose(...given);
}

function lowerOfEach(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const currencies = [...Object.keys(one), ...Object.keys(other)];
  return Object.fromEntries(
    currencies.map((currency) => [currency, Math.min(one[currency] ?? Infinity, other[currency] ?? Infinity)]),
  );
}
