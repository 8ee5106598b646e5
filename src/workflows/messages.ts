import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Approval, Report } from '../plan/report.js';

/** How the plan stands, at any time. */
export const reportQuery = defineQuery<Report>('report');

/** A person's decision on one step. The key says which plan and step was looked at. */
export interface Decision {
  /** The step's index. */
  step: number;
  key: string;
  approve: boolean;
  note?: string;
}

/**
 * Sent with update id `decide-<step>`, so that deciding twice is deciding once. Returns the decision in force, which
 * is the first one: a caller whose own differs came too late.
 */
export const decideUpdate = defineUpdate<Approval, [Decision]>('decide');
