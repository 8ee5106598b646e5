import { commonConfig, readEnvironment } from '../config.js';
import { follow } from './follow.js';
import { type Output, printReport } from './output.js';
import { checkWorkflowId } from './plan-input.js';
import { isLive } from './standing.js';
import { withTemporal } from './temporal.js';

/** `status ID`: how the plan stands now. */
export async function status(id: string, output: Output): Promise<number> {
  const workflowId = checkWorkflowId(id);
  return withTemporal(commonConfig(readEnvironment()), async (context) => {
    // A final report of a run that has not ended yet is a moment old: the next look has its last word.
    const standing = await follow(context, workflowId, ({ closed, report }) => closed || isLive(report.status));
    return printReport(output, standing);
  });
}
