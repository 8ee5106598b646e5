import { randomUUID } from 'node:crypto';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { vi } from 'vitest';
import type { Report } from '../../src/plan/report.js';
import { patience } from '../limits.js';

/** The workflow tasks of a run that it can be reset to. */
export async function resetPoints(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  const points = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes);
  return points.map(({ eventId }) => String(eventId));
}

const { RESET_REAPPLY_EXCLUDE_TYPE_UPDATE } = temporal.api.enums.v1.ResetReapplyExcludeType;

/** Resets a run, and says the new run's id. Decisions from after the point are told to the new run, unless it forgets them. */
export async function reset(
  client: Client,
  workflowId: string,
  runId: string,
  point: string,
  { forgetsDecisions = false } = {},
): Promise<string> {
  const answer = await client.workflowService.resetWorkflowExecution({
    ...{ namespace: client.options.namespace, workflowExecution: { workflowId, runId }, requestId: randomUUID() },
    workflowTaskFinishEventId: point as never,
    resetReapplyExcludeTypes: forgetsDecisions ? [RESET_REAPPLY_EXCLUDE_TYPE_UPDATE] : [],
  });
  return answer.runId;
}

export const runIdOf = async (handle: WorkflowHandle): Promise<string> => (await handle.describe()).runId;

export const report = (handle: WorkflowHandle): Promise<Report> => handle.query<Report>('report');

/**
 * Until step `index` waits for a person, and the key that person answers with. A plan that has given out its keys need not
 * be open yet: a query may be answered before, and what a test changes then is what the plan is opened under.
 */
export const untilWaiting = (handle: WorkflowHandle, index: number): Promise<string> =>
  vi.waitFor(async () => {
    const step = (await report(handle)).steps[index];
    if (step?.status !== 'waiting_for_approval') throw new Error(`step ${index} is ${step?.status}`);
    return step.key ?? '';
  }, patience);

/** Until the workflow's code has heard of a cancellation. */
export const untilCancelHeard = (handle: WorkflowHandle): Promise<void> =>
  vi.waitFor(async () => {
    const { events } = await handle.fetchHistory();
    const requested = events?.findIndex((event) => event.workflowExecutionCancelRequestedEventAttributes) ?? -1;
    const isHeard = events?.slice(requested + 1).some((event) => event.workflowTaskCompletedEventAttributes);
    if (requested < 0 || !isHeard) throw new Error('the cancellation is not heard of');
  }, patience);

/** A person's decision, as the client sends it. */
const decide = (handle: WorkflowHandle, step: number, key: string, approve: boolean): Promise<unknown> =>
  handle.executeUpdate('decide', { args: [{ step, key, approve }], updateId: `decide-${step}` });

export const approve = (handle: WorkflowHandle, step: number, key: string): Promise<unknown> =>
  decide(handle, step, key, true);

export const reject = (handle: WorkflowHandle, step: number, key: string): Promise<unknown> =>
  decide(handle, step, key, false);
