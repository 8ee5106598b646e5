import {
  ApplicationFailure,
  defaultFailureConverter,
  defaultPayloadConverter,
  fromPayloadsAtIndex,
} from '@temporalio/common';
import { UsageError } from '../command.js';
import type { PlanStatus, Report, StepReport } from '../plan/report.js';
import { finalFailure } from '../plan/step-failure.js';
import { askedNoMore } from '../plan/asked-no-more.js';
import { plannedSteps } from '../plan/planned-steps.js';
import { reportQuery } from '../workflows/messages.js';
import { completed, type PlanRecords, readRecords, recordedStep } from './plan-records.js';
import { historyEvent, isOpen, recordedPlan, type Run } from './recorded-run.js';
import type { ClientContext } from './temporal.js';

/** A worker that lives answers in milliseconds, also when it has to replay the run; one that is gone costs this much. */
const lastQueryTimeout = 3_000;

/** Ends of a workflow that mean: refused before anything was done, if no earlier run did. */
const refusals: readonly string[] = [finalFailure.planInvalid, finalFailure.policyRefused, finalFailure.planChanged];

/** Ends of a plan that was undone: it never acts again, so another run would only be refused. */
const undoneEnds: readonly string[] = ['PlanUndone', finalFailure.planClosed];

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
      const failure = await runFailure(context, run);
      // It did nothing itself. The run before it may have come to every step, and the ledger knows what became of them.
      if (failure?.type === finalFailure.planClosed) {
        const report = await reconstruct(context, run, { begun: Infinity });
        return { ...report, steps: report.steps.map(neverAskedAgain) };
      }
      const report = await failedReport(context, failure);
      return (await lastWord(context, run)) ?? report ?? reconstruct(context, run);
    }
    case 'CANCELLED':
      return (await lastWord(context, run)) ?? reconstruct(context, run);
    default:
      // Terminated or timed out: the workflow's code never heard of it, so its own answer says "running".
      return reconstruct(context, run, { answer: await lastAnswer(context, run) });
  }
}

/** Whether a run has ended so that there is nothing left to run again: completed, or undone. */
export async function endedForGood(context: ClientContext, run: Run): Promise<boolean> {
  if (isOpen(run)) return false;
  switch (run.status.name) {
    case 'COMPLETED':
      return true;
    case 'FAILED':
      return undoneEnds.includes((await runFailure(context, run))?.type ?? '');
    default:
      // Cut off or cancelled: of these the ledger knows most, and no worker is waited for.
      return (await reconstruct(context, run)).status === 'undone';
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

/** What a failed run ended with. */
async function runFailure(context: ClientContext, run: Run): Promise<ApplicationFailure | undefined> {
  const { workflowExecutionFailedEventAttributes: end } = await historyEvent(context, run, 'last');
  const failure = end?.failure && defaultFailureConverter.failureToError(end.failure, defaultPayloadConverter);
  return failure instanceof ApplicationFailure ? failure : undefined;
}

/** The report that the failure carries, completed from the ledger. */
async function failedReport(
  context: ClientContext,
  failure: ApplicationFailure | undefined,
): Promise<Report | undefined> {
  const [report] = (failure?.details ?? []) as [Report?];
  // A policy that was tightened since refuses a plan of which an earlier run has done a part.
  const hasBegun = report?.steps.some(({ status }) => status !== 'skipped') ?? false;
  if (refusals.includes(failure?.type ?? '') && !hasBegun) throw new UsageError(failure?.message);
  return report && withRecords(context, report);
}

/** The record's own words may advise to start the plan again. A charge that is still to be given back is asked for then. */
function neverAskedAgain(step: StepReport): StepReport {
  const { status, tool, key } = step;
  return status === 'outcome_unknown' && tool !== 'charge' && key ? { ...step, error: askedNoMore(tool, key) } : step;
}

/** Whether a run was refused because its plan is not the one that the ledger knows under the id. */
export async function wasAnotherPlan(context: ClientContext, run: Run): Promise<boolean> {
  return run.status.name === 'FAILED' && (await runFailure(context, run))?.type === finalFailure.planChanged;
}

async function withRecords(context: ClientContext, report: Report): Promise<Report> {
  const records = await readRecords(context, report.workflowId);
  return { ...report, steps: records ? report.steps.map((step) => completed(step, records)) : report.steps };
}

/** The report of a run that could not tell it itself: its last answer, if there is one, and the ledger. */
async function reconstruct(
  context: ClientContext,
  run: Run,
  known: { answer?: Report | undefined; begun?: number } = {},
): Promise<Report> {
  const { workflowId, runId } = run;
  const { namespace } = context;
  const records = await readRecords(context, workflowId);
  const begun = known.begun ?? (await begunSteps(context, run));
  const plan = known.answer ? undefined : await recordedPlan(context, run);
  const planned = known.answer?.steps ?? (plan ? plannedSteps(plan, namespace, workflowId) : []);
  const steps = planned.map((step) => closeStep(step, records, step.index < begun));
  return { workflowId, namespace, runId, status: endStatus(run, steps), steps };
}

function endStatus({ status: { name } }: Run, steps: readonly StepReport[]): PlanStatus {
  if (steps.some(({ status, undo }) => status === 'outcome_unknown' || undo?.status === 'outcome_unknown')) {
    return 'outcome_unknown';
  }
  const charges = steps.filter(
    ({ tool, status }) => tool === 'charge' && (status === 'succeeded' || status === 'undone'),
  );
  // While one of them stands, the undo was cut off, or has failed.
  if (charges.length > 0 && charges.every(({ status }) => status === 'undone')) return 'undone';
  return name === 'TIMED_OUT' || name === 'FAILED' ? 'failed' : 'cancelled';
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

const stepActivities = new Set(['charge', 'refund', 'email', 'lookupCharge']);

/** How many steps the run began: in their order, each with one activity. */
async function begunSteps({ client, call }: ClientContext, { workflowId, runId }: Run): Promise<number> {
  const { events } = await call(() => client.workflow.getHandle(workflowId, runId).fetchHistory());
  const begun = (events ?? []).filter(({ activityTaskScheduledEventAttributes: scheduled }) =>
    stepActivities.has(scheduled?.activityType?.name ?? ''),
  );
  return begun.length;
}
