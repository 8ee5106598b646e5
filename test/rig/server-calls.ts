import { randomUUID } from 'node:crypto';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { vi } from 'vitest';
import type { Report } from '../../src/plan/report.js';

/** For what takes a moment, on a busy machine. */
export const patience = { timeout: 60_000, interval: 50 };

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

/** Until step `index` waits for a person. */
export const untilWaiting = (handle: WorkflowHandle, index: number): Promise<void> =>
  vi.waitFor(async () => {
    const status = (await report(handle)).steps[index]?.status;
    if (status !== 'waiting_for_approval') throw new Error(`step ${index} is ${status}`);
  }, patience);

/** A person's decision, as the client sends it. */
const decide = (handle: WorkflowHandle, step: number, key: string, approve: boolean): Promise<unknown> =>
  handle.executeUpdate('decide', { args: [{ step, key, approve }], updateId: `decide-${step}` });

export const approve = (handle: WorkflowHandle, step: number, key: string): Promise<unknown> =>
  decide(handle, step, key, true);

export const reject = (handle: WorkflowHandle, step: number, key: string): Promise<unknown> =>
  decide(handle, step, key, false);
