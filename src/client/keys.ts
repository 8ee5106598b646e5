import { commonConfig, readEnvironment } from '../config.js';
import { describeStep } from '../plan/describe-step.js';
import { idempotencyKey, type KeyPurpose } from '../plan/idempotency-key.js';
import type { Plan } from '../plan/plan-schema.js';
import { type Output, print } from './output.js';
import { checkWorkflowId, readPlan } from './plan-input.js';
import { columns, oneLine } from './text.js';

/** `keys PLAN.json --workflow-id ID`: computed here, without any server, since nothing but the plan's place is in them. */
export function keys(path: string, options: { workflowId: string }, output: Output): number {
  const { namespace } = commonConfig(readEnvironment()).temporal;
  const workflowId = checkWorkflowId(options.workflowId);
  const plan = readPlan(path);
  const document = { workflowId, namespace, keys: planKeys(plan, namespace, workflowId) };
  print(output, document, () => keyTable(plan, namespace, workflowId));
  return 0;
}

/** Of the steps that write: a read needs no key. An e-mail cannot be undone, and neither is a refund. */
function planKeys(plan: Plan, namespace: string, workflowId: string) {
  return plan.steps.flatMap(({ id, tool }, stepIndex) => {
    if (tool === 'lookup_charge') return [];
    const key = (purpose: KeyPurpose) => idempotencyKey({ namespace, workflowId, stepIndex, purpose });
    return [
      {
        index: stepIndex,
        ...(id === undefined ? {} : { id }),
        tool,
        key: key('do'),
        ...(tool === 'charge' ? { undoKey: key('undo') } : {}),
      },
    ];
  });
}

export function keyTable(plan: Plan, namespace: string, workflowId: string): string[] {
  return columns(
    planKeys(plan, namespace, workflowId).map(({ index, id, tool, key }) => {
      const step = plan.steps[index];
      return [id === undefined ? String(index) : `${index} ${id}`, oneLine(step ? describeStep(step) : tool), key];
    }),
  );
}
