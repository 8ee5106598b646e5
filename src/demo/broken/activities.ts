import { randomUUID } from 'node:crypto';
import type { Resend } from 'resend';
import type Stripe from 'stripe';
import type { StepOf } from '../../plan/plan-schema.js';

export interface BrokenDeps {
  stripe: Stripe;
  resend: Resend;
  /** In ms. */
  requestTimeout: number;
}

/** Do not copy. A new key for every attempt: the provider cannot know that it did this before. */
export function createBrokenActivities({ stripe, resend, requestTimeout }: BrokenDeps) {
  return {
    async charge({ amount, currency, payment_method }: StepOf<'charge'>['args']): Promise<{ id: string }> {
      const { id } = await stripe.paymentIntents.create(
        { amount, currency, payment_method, allowed_payment_method_types: ['card'], confirm: true },
        { idempotencyKey: randomUUID(), timeout: requestTimeout },
      );
      return { id };
    },

    async email({ to, subject, text }: StepOf<'email'>['args']): Promise<{ id: string }> {
      const signal = AbortSignal.timeout(requestTimeout);
      const from = 'Agent plans <onboarding@resend.dev>';
      const { data, error } = await resend.emails.send(
        { from, to, subject, text },
        { idempotencyKey: randomUUID(), signal },
      );
      if (error) throw new Error(error.message);
      return { id: data.id };
    },
  };
}

export type BrokenActivities = ReturnType<typeof createBrokenActivities>;
