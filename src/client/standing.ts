import { reportQuery } from '../workflows/messages.js';
import type { Plan } from '../plan/plan-schema.js';
import type { PlanStatus, Report, StepStatus } from '../plan/report.js';
import { closedReport } from './closed-run.js';
import { isOpen, requireRun, type Run } from './recorded-run.js';
import type { ClientContext } from './temporal.js';

/** How a plan stands. */
export interface Standing {
  report: Report;
  /** The run has ended: the report is its last word. */
  closed: boolean;
  /** The step that is being tried, or undone, just now. */
  attempt?: { index: number; number: number; lastFailure?: string };
  /** What was asked for, to say amounts and recipients; absent if the run was started with no plan at all. */
  plan?: Plan;
}

/** While a plan is at work or waits for a person. Any other status is final. */
export const isLive = (status: PlanStatus): boolean => status === 'running' || status === 'waiting_for_approval';

/** Throws `UsageError` for a plan that was refused, and the server's error when no worker answers within `timeout` ms. */
export async function readStanding(context: ClientContext, run: Run, timeout: number): Promise<Standing> {
  if (!isOpen(run)) return { report: await closedReport(context, run), closed: true };
  const handle = context.client.workflow.getHandle(run.workflowId);
  const report = await context.call(() => handle.query(reportQuery), timeout);
  const attempt = await pendingAttempt(context, run, report);
  if (!attempt) return { report, closed: false };
  const steps = report.steps.map((step) =>
    step.index === attempt.index && step.status === 'running' ? { ...step, attempts: attempt.number } : step,
  );
  return { report: { ...report, steps }, closed: false, attempt };
}

/** The workflow is told of an activity only when it has ended; how often it was tried, the server knows. */
async function pendingAttempt(context: ClientContext, run: Run, { steps }: Report): Promise<Standing['attempt']> {
  // Between the description and the report the plan may have gone on: then they speak of different steps.
  const now = await requireRun(context, run.workflowId);
  if (now.runId !== run.runId || now.historyLength !== run.historyLength) return undefined;
  // With no step at work, the activity is that of an undo: it takes the charges back from the last one on.
  const step =
    steps.find(({ status }) => status === 'running') ??
    steps.findLast(({ tool, status, undo }) => tool === 'charge' && !undo && undoable.has(status));
  const activity = now.raw.pendingActivities?.find(({ activityType }) => activityType?.name !== 'conclude');
  if (!step || !activity) return undefined;
  const lastFailure = activity.lastFailure?.message;
  return { index: step.index, number: activity.attempt ?? 1, ...(lastFailure ? { lastFailure } : {}) };
}

const undoable: ReadonlySet<StepStatus> = new Set(['succeeded', 'outcome_unknown']);
