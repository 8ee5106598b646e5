import type Stripe from 'stripe';
import type { Claim } from '../ledger/action-record.js';
import { metadataLimits } from '../plan/plan-schema.js';

export interface StripeOperationDeps {
  stripe: Stripe;
  account: string;
  /** A hard deadline for each request, in ms. */
  requestTimeout: number;
  claim: Pick<Claim, 'key' | 'workflowId' | 'stepIndex'>;
}

/** What makes an effect findable at Stripe: by the key, and for people by plan and step. */
export function stripeMetadata({ key, workflowId, stepIndex }: StripeOperationDeps['claim']): Record<string, string> {
  return {
    plan_key: key,
    // A value that Stripe would refuse for its length is left out; the key alone identifies the step.
    ...(workflowId.length > metadataLimits.value ? {} : { plan_workflow: workflowId }),
    plan_step: String(stepIndex),
  };
}
