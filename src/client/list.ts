import type { WorkflowExecutionInfo, WorkflowExecutionStatusName } from '@temporalio/client';
import { commonConfig, readEnvironment } from '../config.js';
import type { PlanStatus } from '../plan/report.js';
import { type Output, print } from './output.js';
import { workflowType } from './recorded-run.js';
import { withTemporal } from './temporal.js';
import { columns, oneLine } from './text.js';

/** How the server says that a run has ended. */
const ends: Partial<Record<WorkflowExecutionStatusName, PlanStatus>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  CANCELLED: 'cancelled',
  TERMINATED: 'cancelled',
};

/** How a plan stands, by the server's word for its run and by the workflow's own, its memo `status`. */
export function listedStatus(name: WorkflowExecutionStatusName, memo: unknown): PlanStatus {
  const end = ends[name];
  // What the memo says beside these was true before the run ended, or was not written by the workflow.
  if (end === undefined) return memo === 'waiting_for_approval' ? memo : 'running';
  return end !== 'completed' && (memo === 'undone' || memo === 'outcome_unknown') ? memo : end;
}

/** `list`: the plans that were started last, the newest first; of a plan that ran again, each run. */
export async function list({ limit }: { limit: number }, output: Output): Promise<number> {
  return withTemporal(commonConfig(readEnvironment()), async ({ client, call, namespace }) => {
    const plans = await call(async () => {
      const found: ReturnType<typeof describePlan>[] = [];
      const query = `WorkflowType = "${workflowType}"`;
      for await (const info of client.workflow.list({ query, pageSize: limit })) {
        found.push(describePlan(info));
        if (found.length === limit) break;
      }
      return found;
    });
    print(output, { namespace, plans }, () => {
      if (plans.length === 0) return [`No plans in namespace "${namespace}"`];
      return columns(plans.map((plan) => [oneLine(plan.workflowId), plan.status, plan.started, oneLine(plan.summary)]));
    });
    return 0;
  });
}

function describePlan({ workflowId, runId, status, startTime, closeTime, memo }: WorkflowExecutionInfo) {
  const summary = memo?.['summary'];
  return {
    workflowId,
    runId,
    status: listedStatus(status.name, memo?.['status']),
    started: startTime.toISOString(),
    ...(closeTime ? { ended: closeTime.toISOString() } : {}),
    summary: typeof summary === 'string' ? summary : '',
  };
}
