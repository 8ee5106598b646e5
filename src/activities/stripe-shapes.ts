import { z } from 'zod';

/*
 * What the client's types promise is checked: the answer may come from anywhere on the way, and what is cited from it
 * ends in an e-mail. Ids are at most 255 characters (docs.stripe.com/upgrades).
 */

const amount = z.int();
const currency = z.string().regex(/^[a-z]{3}$/);
const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_\\w{1,250}$`));

export const testModeIntent = z.object({
  object: z.literal('payment_intent'),
  id: id('pi'),
  livemode: z.literal(false),
  amount,
  currency,
  status: z.string().max(50),
});

export const intentWithCharge = testModeIntent.extend({
  latest_charge: z.object({ amount_refunded: amount }).nullable(),
});

export const refundOfIntent = z.object({
  object: z.literal('refund'),
  id: id('re'),
  payment_intent: id('pi'),
  amount,
  currency,
});
