import {
  ApplicationFailure,
  defaultFailureConverter,
  defaultPayloadConverter,
  fromPayloadsAtIndex,
} from '@temporalio/common';
import { UsageError } from '../command.js';
import type { Report, StepReport } from '../plan/report.js';
import { finalFailure } from '../plan/step-failure.js';
import { idempotencyKey } from '../plan/idempotency-key.js';
import { reportQuery } from '../workflows/messages.js';
import { completed, type PlanRecords, readRecords, recordedStep } from './plan-records.js';
import { historyEvent, recordedPlan, type Run } from './recorded-run.js';
import type { ClientContext } from './temporal.js';

/** A worker that lives answers in milliseconds, also when it has to replay the run; one that is gone costs this much. */
const lastQueryTimeout = 3_000;

/** Ends of a workflow that mean: refused before this run did anything. */
const refusals: readonly string[] = [
  finalFailure.planInvalid,
  finalFailure.policyRefused,
  finalFailure.planChanged,
  finalFailure.planClosed,
];

/**
 * The report of a run that has ended, whether or not a worker is there to be asked.
 * Throws `UsageError` if the plan was refused before anything was done.
 */
export async function closedReport(context: ClientContext, run: Run): Promise<Report> {
  switch (run.status.name) {
    case 'COMPLETED': {
      const { workflowExecutionCompletedEventAttributes: end } = await historyEvent(context, run, 'last');
      return fromPayloadsAtIndex<Report>(defaultPayloadConverter, 0, end?.result?.payloads);
    }
    case 'FAILED': {
      const report = await failedReport(context, run);
      return (await lastWord(context, run)) ?? report ?? reconstruct(context, run);
    }
    case 'CANCELLED':
      return (await lastWord(context, run)) ?? reconstruct(context, run);
    default:
      // Terminated or timed out: the workflow's code never heard of it, so its own answer says "running".
      return reconstruct(context, run, await lastAnswer(context, run));
  }
}

/** What the workflow's code says, while a worker is there. This very run is asked: a later one may have begun. */
async function lastAnswer({ client, call }: ClientContext, { workflowId, runId }: Run): Promise<Report | undefined> {
  try {
    return await call(() => client.workflow.getHandle(workflowId, runId).query(reportQuery), lastQueryTimeout);
  } catch {
    return undefined;
  }
}

/** The answer of a run that has ended itself; what it knows only from an earlier run, it has without its result. */
async function lastWord(context: ClientContext, run: Run): Promise<Report | undefined> {
  const answer = await lastAnswer(context, run);
  if (!answer?.steps.some(({ status, result }) => status === 'succeeded' && !result)) return answer;
  return withRecords(context, answer);
}

/** The report that the failure carries, completed from the ledger. */
async function failedReport(context: ClientContext, run: Run): Promise<Report | undefined> {
  const { workflowExecutionFailedEventAttributes: end } = await historyEvent(context, run, 'last');
  const failure = end?.failure && defaultFailureConverter.failureToError(end.failure, defaultPayloadConverter);
  if (!(failure instanceof ApplicationFailure)) return undefined;
  if (refusals.includes(failure.type ?? '')) throw new UsageError(failure.message);
  const [report] = (failure.details ?? []) as [Report?];
  if (!report) return undefined;
  return withRecords(context, report);
}

async function withRecords(context: ClientContext, report: Report): Promise<Report> {
  const records = await readRecords(context, report.workflowId);
  return { ...report, steps: records ? report.steps.map((step) => completed(step, records)) : report.steps };
}

/** The report of a run that could not end itself: its last answer, if there is one, and the ledger. */
async function reconstruct(context: ClientContext, run: Run, answer?: Report): Promise<Report> {
  const { workflowId, runId } = run;
  const { namespace } = context;
  const records = await readRecords(context, workflowId);
  const begun = await begunSteps(context, run);
  const steps = (answer?.steps ?? (await plannedSteps(context, run))).map((step) =>
    closeStep(step, records, step.index < begun),
  );
  const unknown = steps.some(({ status, undo }) => status === 'outcome_unknown' || undo?.status === 'outcome_unknown');
  const ended = run.status.name === 'TIMED_OUT' || run.status.name === 'FAILED' ? 'failed' : 'cancelled';
  return { workflowId, namespace, runId, status: unknown ? 'outcome_unknown' : ended, steps };
}

/** `mayHaveBegun` decides where no ledger can be read: then nobody can tell what became of the step. */
function closeStep(step: StepReport, records: PlanRecords | undefined, mayHaveBegun: boolean): StepReport {
  if (!['pending', 'running', 'waiting_for_approval'].includes(step.status)) {
    return records ? completed(step, records) : step;
  }
  const recorded = records && recordedStep(step, records);
  if (recorded) return completed(recorded, records);
  if (records || step.key === undefined || !mayHaveBegun) return { ...step, status: 'skipped' };
  const message = `It is not known whether the ${step.tool} took effect: the ledger cannot be read here (LEDGER_URL).`;
  return { ...step, status: 'outcome_unknown', error: { type: 'outcome_unknown', message } };
}

async function plannedSteps(context: ClientContext, run: Run): Promise<StepReport[]> {
  const { workflowId } = run;
  const { namespace } = context;
  const plan = await recordedPlan(context, run);
  return (plan?.steps ?? []).map(({ id, tool }, stepIndex) => ({
    index: stepIndex,
    ...(id === undefined ? {} : { id }),
    tool,
    ...(tool === 'lookup_charge' ? {} : { key: idempotencyKey({ namespace, workflowId, stepIndex, purpose: 'do' }) }),
    status: 'pending',
    attempts: 0,
    replays: 0,
  }));
}

const stepActivities = new Set(['charge', 'refund', 'email', 'lookupCharge']);

/** How many steps the run began: in their order, each with one activity. */
async function begunSteps({ client, call }: ClientContext, { workflowId, runId }: Run): Promise<number> {
  const { events } = await call(() => client.workflow.getHandle(workflowId, runId).fetchHistory());
  const begun = (events ?? []).filter(({ activityTaskScheduledEventAttributes: scheduled }) =>
    stepActivities.has(scheduled?.activityType?.name ?? ''),
  );
  return begun.length;
}
