import { commonConfig, readEnvironment } from '../config.js';
import { attend } from './attend.js';
import type { Output } from './output.js';
import { checkWorkflowId } from './plan-input.js';
import { withTemporal } from './temporal.js';

/** `watch ID`: live progress, then the report. */
export async function watch(id: string, output: Output): Promise<number> {
  const workflowId = checkWorkflowId(id);
  return withTemporal(commonConfig(readEnvironment()), (context) => attend(context, workflowId, output));
}
