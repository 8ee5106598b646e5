import { formatAmount } from './money.js';
import type { Step } from './plan-schema.js';

/** What a step does, in a few words: `charge $25.00`, `email to ada@example.com`. */
export function describeStep({ tool, args }: Step): string {
  const amount = 'amount' in args ? args.amount : undefined;
  if ('to' in args) return `${tool} to ${args.to}`;
  if ('currency' in args) return `${tool} ${formatAmount(args.amount, args.currency)}`;
  return amount === undefined ? `${tool} of ${args.charge}` : `${tool} ${amount} of ${args.charge}`;
}
