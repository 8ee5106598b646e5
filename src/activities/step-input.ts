import type { PlanId } from '../ledger/action-record.js';
import type { KeyPurpose } from '../plan/idempotency-key.js';
import type { Tool } from '../plan/plan-schema.js';

/** What a step's activity is given; all of it fixed by the plan and by results in the workflow's history. */
export interface StepInput<Args> extends PlanId {
  key: string;
  purpose: KeyPurpose;
  stepIndex: number;
  planFingerprint: string;
  tool: Tool;
  /** Of the step as written; the step itself may be large, and its arguments are here once more. */
  stepFingerprint: string;
  /** Its arguments with the references filled in. */
  args: Args;
  /** A person said yes to this step. */
  approved: boolean;
  /** What the plan's charges come to with this one, in the smallest unit of its currency; 0 for other tools. */
  charged: number;
  /** ms since the epoch: when the first run of this workflow began. */
  workflowStartedAt: number;
  /** The step is only asked about again, so that it can be undone if it happened. */
  forUndo?: boolean;
  /** A hard deadline for each request to the provider, in ms. */
  requestTimeout: number;
}
