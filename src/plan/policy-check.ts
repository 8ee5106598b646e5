import type { Fault } from './input-error.js';
import { formatAmount } from './money.js';
import type { Plan, Step } from './plan-schema.js';
import type { Policy } from './policy.js';

/** What in the plan the policy does not allow, over the plan as a whole. Empty if all of it is allowed. */
export function policyFaults(plan: Plan, policy: Policy): Fault[] {
  const { maxSteps } = policy;
  const tooMany = maxSteps !== undefined && plan.steps.length > maxSteps;
  return [
    ...(tooMany ? [{ path: 'steps', message: `are ${plan.steps.length}, the policy allows ${maxSteps}` }] : []),
    ...overLimits(plan.steps, policy),
    ...plan.steps.flatMap((step, index) => recipientFaults(step, index, policy)),
  ];
}

/** The sum of the charges, currency by currency; the fault is at the charge that goes over. */
function overLimits(steps: readonly Step[], { limits }: Policy): Fault[] {
  if (!limits) return [];
  const spent = new Map<string, number>();
  return steps.flatMap((step, index) => {
    if (step.tool !== 'charge') return [];
    const { currency, amount } = step.args;
    const limit = Object.hasOwn(limits, currency) ? limits[currency] : undefined;
    if (limit === undefined) {
      return [
        { path: `steps[${index}].args.currency`, message: `is ${currency}, which the policy's limits do not list` },
      ];
    }
    const sum = (spent.get(currency) ?? 0) + amount;
    spent.set(currency, sum);
    if (sum <= limit) return [];
    const [wanted, allowed] = [formatAmount(sum, currency), formatAmount(limit, currency)];
    return [
      {
        path: `steps[${index}].args.amount`,
        message: `brings the plan's charges to ${wanted}, the policy allows ${allowed}`,
      },
    ];
  });
}

function recipientFaults(step: Step, index: number, { recipients }: Policy): Fault[] {
  if (step.tool !== 'email' || !recipients) return [];
  if (recipients.some((pattern) => matchesPattern(step.args.to, pattern))) return [];
  return [
    // The list itself stays with the operator: it may be long, and it names people.
    { path: `steps[${index}].args.to`, message: "is not among the policy's recipients" },
  ];
}

/** `*` stands for anything but `@`, so that `*@example.com` cannot be met by `x@evil.test,y@example.com`. */
function matchesPattern(address: string, pattern: string): boolean {
  const source = pattern
    .split('*')
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^@]*');
  return new RegExp(`^${source}$`, 'i').test(address);
}

/** A step waits for a person if the plan says so or a policy does. */
export function needsApproval(step: Step, approveAbove: Policy['approveAbove']): boolean {
  if (step.approval === true) return true;
  if (step.tool !== 'charge' || !approveAbove) return false;
  const { currency, amount } = step.args;
  const threshold = Object.hasOwn(approveAbove, currency) ? approveAbove[currency] : undefined;
  return threshold !== undefined && amount > threshold;
}
