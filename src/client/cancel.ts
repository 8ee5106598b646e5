import { WorkflowNotFoundError } from '@temporalio/client';
import { commonConfig, readEnvironment } from '../config.js';
import { attend } from './attend.js';
import type { Output } from './output.js';
import { checkWorkflowId } from './plan-input.js';
import { requireRun } from './recorded-run.js';
import { withTemporal } from './temporal.js';

/**
 * `cancel ID`: asks the plan to end and waits until it has. The step at work is not torn off, since then nobody would
 * know whether it took effect: the attempt on its way ends by itself, within the policy's startToCloseTimeout, and is
 * not repeated. If no worker is there to end it, the wait ends as that of `watch` does.
 */
export async function cancel(id: string, output: Output): Promise<number> {
  const workflowId = checkWorkflowId(id);
  return withTemporal(commonConfig(readEnvironment()), async (context) => {
    const { client, call } = context;
    await requireRun(context, workflowId);
    try {
      await call(() => client.workflow.getHandle(workflowId).cancel());
    } catch (error) {
      // It has ended already, with a report of its own.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
    return attend(context, workflowId, output);
  });
}
