import { z } from 'zod';
import { faultNames, mailOnlyFaults } from './fault-names.js';

/** `POST /v1/payment_intents`, `GET /v1/refunds/*`: a method, a blank and a path without query. */
const matchPattern = /^[A-Z]+ \/[^\s?#]*$/;

/** No test waits longer for one answer, and `setTimeout` fires at once beyond 2^31 ms. */
const longestDelayMs = 60 * 60 * 1000;

const services = ['stripe', 'mail'] as const;
export type ServiceName = (typeof services)[number];

const count = z.int().nonnegative();

export const faultRuleSchema = z
  .strictObject({
    service: z.enum(services),
    match: z.string().regex(matchPattern, 'must be "METHOD /path", with * for one segment'),
    fault: z.enum(faultNames),
    /** How many requests it hits. */
    times: z.union([z.int().positive(), z.literal('always')], 'must be a number from 1 up, or "always"').default(1),
    /** How many matching requests it lets through first. */
    skip: count.default(0),
    probability: z.number().min(0).max(1).default(1),
    /** With a probability: the same seed hits the same requests, whatever order they arrive in. */
    seed: z.int().default(1),
    /** The answer, or with `slow` the work, takes this much longer. */
    delayMs: count.max(longestDelayMs).default(0),
  })
  .refine((rule) => rule.service === 'mail' || !mailOnlyFaults.has(rule.fault), {
    path: ['fault'],
    error: ({ input }) => `${(input as { fault: string }).fault} is a fault of the mailbox only`,
  });

/** What a caller writes: everything but service, match and fault has a default. */
export type FaultRule = z.input<typeof faultRuleSchema>;

/** A rule as it is kept. */
export type StoredFaultRule = z.output<typeof faultRuleSchema> & {
  id: number;
  /** Matching requests that this rule was asked about. */
  seen: number;
  /** Requests it has hit. */
  used: number;
};
