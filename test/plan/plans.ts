import { InputError } from '../../src/plan/input-error.js';
import type { Plan } from '../../src/plan/plan-schema.js';
import { validatePlan } from '../../src/plan/plan.js';

type Json = Record<string, unknown>;

export const chargeArgs = { amount: 2500, currency: 'usd', payment_method: 'pm_card_visa' };
const emailArgs = { to: 'ada@example.com', subject: 'Receipt', text: 'Thank you.' };

export const charge = (args: Json = {}, step: Json = {}): Json => ({
  tool: 'charge',
  args: { ...chargeArgs, ...args },
  ...step,
});
export const refund = (args: Json, step: Json = {}): Json => ({ tool: 'refund', args, ...step });
export const email = (args: Json = {}, step: Json = {}): Json => ({
  tool: 'email',
  args: { ...emailArgs, ...args },
  ...step,
});

/** A plan that is known to be right. */
export const planOf = (...steps: Json[]): Plan => validatePlan({ steps });

/** What an operator reads when `check` refuses its input: one line. Throws if it does not. */
export function refusal(check: () => unknown): string {
  try {
    check();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error('was not refused');
}

export const planRefusal = (json: unknown): string => refusal(() => validatePlan(json));
