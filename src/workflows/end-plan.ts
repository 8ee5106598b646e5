import { ApplicationFailure, CancellationScope, CancelledFailure } from '@temporalio/workflow';
import type { Plan } from '../plan/plan-schema.js';
import type { PlanStatus, Report, StepReport } from '../plan/report.js';
import { finalFailure } from '../plan/step-failure.js';
import { tellEarlier } from './earlier-run.js';
import type { Progress } from './progress.js';

const failureTypes: Partial<Record<PlanStatus, string>> = {
  failed: 'PlanFailed',
  undone: 'PlanUndone',
  outcome_unknown: 'PlanOutcomeUnknown',
};

/** Ends the workflow as the steps stand: returns the report of a completed plan, throws for any other. */
export function endPlan(progress: Progress): Report {
  const { steps } = progress;
  const status = endStatus(steps);
  if (status === 'completed') return progress.finish(status);
  const told = steps.map(trouble).find((text) => text !== undefined);
  const message =
    told ?? (status === 'undone' ? 'What an earlier run left to undo is undone' : 'The plan did not come to its end');
  if (CancellationScope.current().consideredCancelled) {
    progress.finish(status === 'failed' ? 'cancelled' : status);
    throw new CancelledFailure(told ?? 'The plan was cancelled');
  }
  throw failure(progress.finish(status), message, failureTypes[status]);
}

function endStatus(steps: readonly StepReport[]): PlanStatus {
  // By this run: what only an earlier one did has no result here.
  if (steps.every(({ status, result }) => status === 'succeeded' && result)) return 'completed';
  const unknown = steps.some(({ status, undo }) => status === 'outcome_unknown' || undo?.status === 'outcome_unknown');
  if (unknown) return 'outcome_unknown';
  const undone = steps.some(({ status }) => status === 'undone');
  // A charge that stands although it should have been given back: the plan failed, not more and not less.
  return undone && steps.every(({ undo }) => undo?.status !== 'failed') ? 'undone' : 'failed';
}

function trouble({ index, tool, error, undo }: StepReport): string | undefined {
  if (error) return `Step ${index} (${tool}): ${error.message}`;
  return undo?.error && `Undo of step ${index} (${tool}): ${undo.error.message}`;
}

/** Refused are this run and its plan; what an earlier run of the same plan did stands. */
const refusedAgain: readonly string[] = [finalFailure.policyRefused, finalFailure.planClosed];

/** Ends a plan that was not opened. */
export async function refusedPlan(plan: Plan, progress: Progress, error: unknown): Promise<Error> {
  const { message, name } = error instanceof Error ? error : new Error(String(error));
  const type = (error instanceof ApplicationFailure ? error.type : name) ?? name;
  if (refusedAgain.includes(type)) await tellEarlier(plan, progress);
  return failure(progress.finish('failed'), message, type);
}

/**
 * Never retried by Temporal, and with the report in its details, but without the results, so that it stays small: the
 * query and the ledger have them.
 */
function failure(report: Report, message: string, type: string | undefined | null): ApplicationFailure {
  const steps = report.steps.map(({ result, undo, ...step }) => step);
  return ApplicationFailure.nonRetryable(message, type, { ...report, steps });
}
