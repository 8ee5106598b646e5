import { type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter, fromPayloadsAtIndex } from '@temporalio/common';
import proto from '@temporalio/proto';
import { UsageError } from '../command.js';
import { fingerprint } from '../plan/fingerprint.js';
import type { Plan } from '../plan/plan-schema.js';
import type { ClientContext } from './temporal.js';

/** The type the worker registers (contract 4.7). */
export const workflowType = 'agentPlan';

export type Run = WorkflowExecutionDescription;

/** An operator may pause a run in the Web UI; it has not ended by that. */
export const isOpen = ({ status }: Run): boolean => status.name === 'RUNNING' || status.name === 'PAUSED';

/** The latest run under a workflow id, or undefined: always the latest, so that a run that is reset is left for its new one. */
export async function findRun({ client, call }: ClientContext, workflowId: string): Promise<Run | undefined> {
  try {
    const run = await call(() => client.workflow.getHandle(workflowId).describe());
    if (run.type === workflowType) return run;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
  throw new UsageError(`The workflow id "${workflowId}" belongs to something else than a plan`);
}

/** Throws `UsageError` for an id that nothing ran under. */
export async function requireRun(context: ClientContext, workflowId: string): Promise<Run> {
  const run = await findRun(context, workflowId);
  if (run) return run;
  throw new UsageError(`No plan has the workflow id "${workflowId}" in namespace "${context.namespace}"`);
}

const closeEvent = proto.temporal.api.enums.v1.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;

/** One event of a run's history. */
export async function historyEvent(
  { client, call, namespace }: ClientContext,
  { workflowId, runId }: Run,
  which: 'first' | 'last',
) {
  const choice = which === 'first' ? { maximumPageSize: 1 } : { historyEventFilterType: closeEvent };
  const execution = { workflowId, runId };
  const { history } = await call(() =>
    client.workflowService.getWorkflowExecutionHistory({ namespace, execution, ...choice }),
  );
  return history?.events?.[0] ?? {};
}

/** The plan that a run was started with, as far as it is one: another program may have started anything. */
export async function recordedPlan(context: ClientContext, run: Run): Promise<Plan | undefined> {
  const { workflowExecutionStartedEventAttributes: started } = await historyEvent(context, run, 'first');
  const input = fromPayloadsAtIndex<{ plan?: Plan } | undefined>(defaultPayloadConverter, 0, started?.input?.payloads);
  return Array.isArray(input?.plan?.steps) ? input.plan : undefined;
}

/** Which plan a run runs. Only `start` writes the memo at once; the workflow itself adds a missing one a moment later. */
export async function recordedFingerprint(context: ClientContext, run: Run): Promise<unknown> {
  const inMemo = run.memo?.['planFingerprint'];
  if (inMemo !== undefined) return inMemo;
  const plan = await recordedPlan(context, run);
  return plan && fingerprint(plan);
}
