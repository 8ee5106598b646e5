import { z } from 'zod';
import { chargeAmountFault, maximumAmount } from './money.js';

/** Ours in the metadata of a charge: `plan_key`, `plan_workflow`, `plan_step`. */
const ownMetadata = { prefix: 'plan_', entries: 3 };
/** Stripe's limits on metadata (docs.stripe.com/metadata). */
export const metadataLimits = { entries: 50, name: 40, value: 500 };
/** Stripe's limit on a PaymentIntent's description. */
export const maximumDescription = 1000;
/** RFC 5322: a header line. */
export const maximumSubject = 998;
export const maximumSteps = 1000;

/** Also what breaks a line without being a control character, and what makes a line read in another order than it has. */
const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const text = (maximum: number) => z.string().min(1).max(maximum);
const amount = z
  .int({ error: 'must be an integer in the smallest unit of the currency', abort: true })
  .min(1, { error: 'must be at least 1', abort: true })
  .max(maximumAmount, `must be at most ${maximumAmount}, the largest amount that Stripe takes`);

const metadata = z
  .record(z.string(), z.string().max(metadataLimits.value, `must be at most ${metadataLimits.value} characters`))
  .superRefine((entries, context) => {
    const names = Object.keys(entries);
    const room = metadataLimits.entries - ownMetadata.entries;
    if (names.length > room) {
      context.addIssue(
        `may have at most ${room} entries: Stripe takes ${metadataLimits.entries}, the plan's own key needs ${ownMetadata.entries}`,
      );
    }
    for (const name of names) {
      const problem = metadataNameFault(name);
      if (problem) context.addIssue({ code: 'custom', path: [name], message: problem });
    }
  });

function metadataNameFault(name: string): string | undefined {
  if (name.startsWith(ownMetadata.prefix)) return `names beginning with "${ownMetadata.prefix}" are reserved`;
  if (name.length === 0 || name.length > metadataLimits.name)
    return `name must have 1 to ${metadataLimits.name} characters`;
  if (/[[\]]/.test(name)) return 'name must not contain square brackets';
  return controlCharacters.test(name) ? 'name must not contain control characters' : undefined;
}

const chargeArgs = z
  .strictObject({
    amount,
    currency: z.string().regex(/^[a-z]{3}$/, 'must be a three-letter currency code in lower case'),
    payment_method: z
      .string()
      .regex(/^(pm|card|src)_\w{1,250}$/, 'must be the id of a payment method, e.g. "pm_card_visa"'),
    description: text(maximumDescription).optional(),
    metadata: metadata.optional(),
  })
  .superRefine((args, context) => {
    const message = chargeAmountFault(args.amount, args.currency);
    if (message) context.addIssue({ code: 'custom', path: ['amount'], message });
  });

/** An earlier step, by its id or by its index (as a number or as digits). */
const noReference = 'must be the id or the index of an earlier charge step';
const stepReference = z.union(
  [z.string().regex(/^(\d{1,4}|[A-Za-z][A-Za-z0-9_-]*)$/, noReference), z.int().min(0, noReference)],
  noReference,
);

const refundArgs = z.strictObject({
  charge: stepReference,
  amount: amount.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});

const emailArgs = z.strictObject({
  // One plain ASCII address, no display name and no list: what the policy judges is exactly what the provider gets.
  to: z
    .string()
    .max(254, 'must be at most 254 characters')
    .regex(
      /^[\w!#$%&'*+/=?^`|~-]+(?:\.[\w!#$%&'*+/=?^`|~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.(?=.)|$))+$/,
      'must be one plain address, e.g. "ada@example.com"',
    ),
  subject: text(maximumSubject).refine(
    (value) => !controlCharacters.test(value),
    'must not contain control characters',
  ),
  text: z.string().min(1),
});

const lookupChargeArgs = z.strictObject({ charge: stepReference });

const common = {
  id: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'must begin with a letter and have only letters, digits, "_" and "-"')
    .max(100)
    .optional(),
  approval: z.boolean().optional(),
};

const step = z.discriminatedUnion(
  'tool',
  [
    z.strictObject({ ...common, tool: z.literal('charge'), args: chargeArgs }),
    z.strictObject({ ...common, tool: z.literal('refund'), args: refundArgs }),
    z.strictObject({ ...common, tool: z.literal('email'), args: emailArgs }),
    z.strictObject({ ...common, tool: z.literal('lookup_charge'), args: lookupChargeArgs }),
  ],
  {
    // Not for what is no object at all, though the types know of no other fault.
    error: ({ code }: { code: string }) =>
      code === 'invalid_union' ? 'must be one of "charge", "refund", "email", "lookup_charge"' : undefined,
  },
);

/** The shape of a plan. No defaults and no transforms: what is fingerprinted is what was written. */
export const planSchema = z.strictObject({
  goal: text(2000).optional(),
  onFailure: z.enum(['stop', 'undo']).optional(),
  steps: z
    .array(step)
    .min(1, 'must have at least one step')
    .max(maximumSteps, `must have at most ${maximumSteps} steps`),
});

export type Plan = z.infer<typeof planSchema>;
export type Step = Plan['steps'][number];
export type Tool = Step['tool'];
export type StepOf<T extends Tool> = Extract<Step, { tool: T }>;
