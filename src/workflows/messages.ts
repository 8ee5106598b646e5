import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Decision } from '../plan/decision.js';
import type { Approval, Report } from '../plan/report.js';

/** How the plan stands, at any time. */
export const reportQuery = defineQuery<Report>('report');

/**
 * Sent with update id `decide-<step>`, so that deciding twice is deciding once. Returns the decision in force, which
 * is the first one: a caller whose own differs came too late.
 */
export const decideUpdate = defineUpdate<Approval, [Decision]>('decide');
