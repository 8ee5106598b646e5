import type { StepOf } from '../../src/plan/plan-schema.js';

/** Steps as a plan file writes them, short enough to see what a test is about. */
export const charge = (amount = 2500, more: Partial<StepOf<'charge'>['args']> = {}) => ({
  tool: 'charge',
  args: { amount, currency: 'usd', payment_method: 'pm_card_visa', ...more },
});

export const declined = (card = 'pm_card_visa_chargeDeclined') => charge(2500, { payment_method: card });

export const refund = (chargeIndex: number, amount?: number) => ({
  tool: 'refund',
  args: { charge: chargeIndex, ...(amount === undefined ? {} : { amount }) },
});

export const email = (text = 'Thank you') => ({
  tool: 'email',
  args: { to: 'ada@example.com', subject: 'Receipt', text },
});
