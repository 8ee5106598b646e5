import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { findRun, type Run } from '../../src/client/recorded-run.js';
import { type ClientContext, isServerTrouble } from '../../src/client/temporal.js';
import type { Random } from './random.js';

/** Longer than a restart of the Temporal server on a crowded machine. */
const patienceMs = 90_000;
const pauseMs = 500;
/** gRPC: what was asked for does not fit what is there. */
const invalidArgument = 3;
const failedPrecondition = 9;

/** Makes a call until the server answers it: it may be down just now. */
export async function patiently<T>(call: () => Promise<T>): Promise<T> {
  const giveUp = Date.now() + patienceMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isServerTrouble(error) || isRefusal(error) || Date.now() > giveUp) throw error;
    }
    await sleep(pauseMs);
  }
}

function isRefusal(error: unknown): boolean {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return [invalidArgument, failedPrecondition].includes((cause as { code: number }).code);
}

/** False if the plan had ended before, or there is nothing to be done. */
export async function unlessClosed(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await patiently(call);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isRefusal(error)) return false;
    throw error;
  }
}

export async function latestRun(temporal: ClientContext, workflowId: string): Promise<Run> {
  const run = await patiently(() => findRun(temporal, workflowId));
  if (!run) throw new Error(`${workflowId} is gone`);
  return run;
}

/**
 * Resets a run to one of the points where the server allows it. False if there is none, or it cannot be done just now.
 */
export async function reset(
  { client, call, namespace }: ClientContext,
  workflowId: string,
  runId: string,
  choose: <T>(points: readonly T[]) => T | undefined,
): Promise<boolean> {
  const { events } = await patiently(() => call(() => client.workflow.getHandle(workflowId, runId).fetchHistory()));
  const point = choose((events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes));
  if (!point?.eventId) return false;
  const workflowTaskFinishEventId = point.eventId;
  // One id for all tries: a reset whose answer was lost is not done again.
  const requestId = randomUUID();
  const workflowExecution = { workflowId, runId };
  return unlessClosed(() =>
    call(() =>
      client.workflowService.resetWorkflowExecution({
        ...{ namespace, workflowExecution, workflowTaskFinishEventId, requestId, reason: 'chaos' },
      }),
    ),
  );
}

export const anyPoint =
  (random: Random) =>
  <T>(points: readonly T[]): T | undefined =>
    points.length === 0 ? undefined : random.pick(points);
