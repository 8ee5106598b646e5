import {
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { UsageError } from '../command.js';
import { commonConfig, readEnvironment } from '../config.js';
import type { Approval, StepReport } from '../plan/report.js';
import { decideUpdate } from '../workflows/messages.js';
import { follow } from './follow.js';
import { type Output, print } from './output.js';
import { checkWorkflowId } from './plan-input.js';
import { isLive, type Standing } from './standing.js';
import { type ClientContext, withTemporal } from './temporal.js';
import { oneLine } from './text.js';

/** A worker that has just answered a query answers an update as well. */
const updateTimeout = 8_000;

/** `approve ID STEP` and `reject ID STEP`. Exit code 1 if another decision was there first: that one is in force. */
export async function decide(
  id: string,
  stepName: string,
  wish: { approve: boolean; note?: string },
  output: Output,
): Promise<number> {
  const workflowId = checkWorkflowId(id);
  return withTemporal(commonConfig(readEnvironment()), async (context) => {
    const standing = await follow(context, workflowId, ({ closed, report }) => closed || isLive(report.status));
    const step = findStep(standing, stepName);
    const approval = standing.closed ? pastDecision(standing, step) : await sendDecision(context, standing, step, wish);
    const { namespace } = context;
    const verdict = approval.approve ? 'approved' : 'rejected';
    const differs = approval.approve !== wish.approve;
    print(output, { workflowId, namespace, step: step.index, approval }, () => [
      differs
        ? `Step ${step.index} was ${verdict} before, at ${approval.at}; that decision is in force`
        : `Step ${step.index} is ${verdict} (at ${approval.at})`,
    ]);
    return differs ? 1 : 0;
  });
}

function findStep({ report: { workflowId, steps } }: Standing, name: string): StepReport {
  const step = steps.find(({ index, id }) => id === name || String(index) === name);
  if (step) return step;
  throw new UsageError(`The plan "${oneLine(workflowId)}" has no step "${oneLine(name)}"`);
}

/** A plan that has ended takes no decisions; the one it took is still in force, so that approving twice is approving once. */
function pastDecision({ report }: Standing, { index, approval }: StepReport): Approval {
  if (approval) return approval;
  throw new UsageError(
    `The plan "${oneLine(report.workflowId)}" has ended (${report.status}); step ${index} can no longer be decided`,
  );
}

async function sendDecision(
  { client, call }: ClientContext,
  { report }: Standing,
  { index, key = '' }: StepReport,
  wish: { approve: boolean; note?: string },
): Promise<Approval> {
  const { workflowId } = report;
  const update = {
    updateId: `decide-${index}`,
    args: [{ step: index, key, ...wish }] as [typeof wish & { step: number; key: string }],
  };
  try {
    return await call(() => client.workflow.getHandle(workflowId).executeUpdate(decideUpdate, update), updateTimeout);
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) throw new UsageError(error.cause?.message ?? error.message);
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
      throw new UsageError('No worker took the decision in time; the same command again is safe');
    }
    if (error instanceof WorkflowNotFoundError) {
      throw new UsageError(`The plan "${oneLine(workflowId)}" ended before the decision came`);
    }
    throw error;
  }
}
