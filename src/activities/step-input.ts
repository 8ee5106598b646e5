import type { PlanId } from '../ledger/ledger.js';
import type { KeyPurpose } from '../plan/idempotency-key.js';
import type { Step } from '../plan/plan-schema.js';

/** What a step's activity is given; all of it fixed by the plan and by results in the workflow's history. */
export interface StepInput<Args> extends PlanId {
  key: string;
  purpose: KeyPurpose;
  stepIndex: number;
  planFingerprint: string;
  /** The step as written. */
  step: Step;
  /** Its arguments with the references filled in. */
  args: Args;
  /** A hard deadline for each request to the provider, in ms. */
  requestTimeout: number;
}
