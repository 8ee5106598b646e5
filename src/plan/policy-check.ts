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
  return steps.flatMap((step, index) => {
    if (step.tool !== 'charge') return [];
    const fault = limitFault(step.args.currency, chargedUpTo(steps, index), limits);
    return fault ? [{ path: `steps[${index}].args.${fault.field}`, message: fault.message }] : [];
  });
}

/** What the charges up to step `index`, itself included, come to in the currency of that step; 0 if it is no charge. */
export function chargedUpTo(steps: readonly Step[], index: number): number {
  const last = steps[index];
  if (last?.tool !== 'charge') return 0;
  return steps.slice(0, index + 1).reduce((sum, { tool, args }) => {
    return tool === 'charge' && args.currency === last.args.currency ? sum + args.amount : sum;
  }, 0);
}

function limitFault(
  currency: string,
  charged: number,
  limits: Policy['limits'],
): { field: 'currency' | 'amount'; message: string } | undefined {
  if (!limits) return undefined;
  const limit = Object.hasOwn(limits, currency) ? limits[currency] : undefined;
  if (limit === undefined) {
    return { field: 'currency', message: `is ${currency}, which the policy's limits do not list` };
  }
  if (charged <= limit) return undefined;
  const [wanted, allowed] = [formatAmount(charged, currency), formatAmount(limit, currency)];
  return { field: 'amount', message: `brings the plan's charges to ${wanted}, the policy allows ${allowed}` };
}

/** What of a step is asked once more when it is about to be done, under the policy as it is then. */
export interface StepInForce {
  tool: Step['tool'];
  /** Filled in; what the policy judges cannot be cited into. */
  args: unknown;
  /** A person said yes to it. */
  approved: boolean;
  /** By `chargedUpTo`. */
  charged: number;
}

/** Why a step may not begin, or undefined if it may: the policy may have been tightened since the plan was opened. */
export function stepFault({ tool, args, approved, charged }: StepInForce, policy: Policy): string | undefined {
  const step = { tool, args } as Step;
  if (step.tool === 'email') return recipientFaults(step, 0, policy)[0]?.message;
  if (step.tool !== 'charge') return undefined;
  const fault = limitFault(step.args.currency, charged, policy.limits);
  if (fault) return fault.message;
  const waits = needsApproval(step, policy.approveAbove) && !approved;
  return waits ? "needs a person's approval; start the plan again to be asked" : undefined;
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
