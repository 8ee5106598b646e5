export type FindingKind = 'duplicate' | 'lost' | 'claimedButAbsent' | 'deniedButHappened' | 'unwanted' | 'unexplained';

/** Where what was said and what happened differ. */
export interface Finding {
  kind: FindingKind;
  workflowId: string;
  step: number;
  detail: string;
}

/** A step whose outcome nobody could tell, and why that is right. */
export interface Unknown {
  workflowId: string;
  step: number;
  reason: string;
}
