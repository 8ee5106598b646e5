import type { Tool } from './plan-schema.js';
import type { RefundResult, StepResult } from './results.js';

export type PlanStatus =
  'running' | 'waiting_for_approval' | 'completed' | 'failed' | 'undone' | 'cancelled' | 'outcome_unknown';

export type StepStatus =
  'pending' | 'running' | 'waiting_for_approval' | 'succeeded' | 'failed' | 'outcome_unknown' | 'undone' | 'skipped';

export interface StepError {
  type: string;
  code?: string;
  /** The bank's own reason for a declined card. */
  decline_code?: string;
  message: string;
}

/** What a person decided about a step that needs approval. */
export interface Approval {
  approve: boolean;
  note?: string;
  /** ISO 8601. */
  at: string;
}

/** The compensation of a charge: an operation of its own, under its own key. */
export interface UndoReport {
  key: string;
  status: 'succeeded' | 'failed' | 'outcome_unknown';
  result?: RefundResult;
  error?: StepError;
}

export interface StepReport {
  index: number;
  id?: string;
  tool: Tool;
  /** Absent for a read, which needs none. */
  key?: string;
  status: StepStatus;
  /** How often the tool was, or may have been, asked, in all runs of the plan. */
  attempts: number;
  /** How often the answer came from a record, the provider's or the ledger's. */
  replays: number;
  result?: StepResult;
  error?: StepError;
  approval?: Approval;
  undo?: UndoReport;
}

/** What the query `report` answers and every command prints (design contract 4.3). */
export interface Report {
  workflowId: string;
  namespace: string;
  runId: string;
  status: PlanStatus;
  steps: StepReport[];
}
