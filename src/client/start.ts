import { randomUUID } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { UsageError } from '../command.js';
import { commonConfig, readEnvironment } from '../config.js';
import { fingerprint } from '../plan/fingerprint.js';
import { refuse } from '../plan/input-error.js';
import type { Plan } from '../plan/plan-schema.js';
import { policyFaults } from '../plan/policy-check.js';
import type { Policy } from '../plan/policy.js';
import { attend } from './attend.js';
import { endedForGood, wasAnotherPlan } from './closed-run.js';
import { follow } from './follow.js';
import { keyTable } from './keys.js';
import { LostSight, NoAnswer } from './lost-sight.js';
import { type Output, printReport } from './output.js';
import { checkWorkflowId, readPlan, readPolicy } from './plan-input.js';
import { planDetails, planSummary } from './plan-summary.js';
import { requireWorker } from './pollers.js';
import { findRun, isOpen, recordedFingerprint, type Run, workflowType } from './recorded-run.js';
import { isLive } from './standing.js';
import { type ClientContext, isServerTrouble, serverTrouble, withTemporal } from './temporal.js';
import { oneLine, shellQuote } from './text.js';
import { webLink } from './web-link.js';

export interface StartOptions {
  workflowId?: string;
  policy?: string;
  detach?: true;
}

interface Order {
  plan: Plan;
  policy: Policy;
  workflowId: string;
}

/** `start PLAN.json`: everything that can be refused is refused before anything is sent. */
export async function start(path: string, options: StartOptions, output: Output): Promise<number> {
  const env = readEnvironment();
  const config = commonConfig(env);
  // Without an id, starting twice is two plans. A UUID: ids made in the same millisecond must differ too.
  const workflowId = checkWorkflowId(options.workflowId ?? `plan-${randomUUID()}`);
  const order = { plan: readPlan(path), policy: readPolicy(options.policy), workflowId };
  refuse('refused by the policy', policyFaults(order.plan, order.policy));

  return withTemporal(config, async (context) => {
    const run = await recordedRun(context, order);
    const goesOn = run && (isOpen(run) || (await endedForGood(context, run)));
    if (!goesOn) await requireWorker(context);
    introduce(output, context, order, env['TEMPORAL_UI_URL']);
    if (!goesOn) await send(context, order);
    else if (options.policy)
      output.stream.write('The plan was started before: the policy it was started with holds.\n');
    try {
      if (!options.detach) return await attend(context, workflowId, output);
      const standing = await follow(context, workflowId, ({ closed, report }) => closed || isLive(report.status));
      return printReport(output, standing);
    } catch (error) {
      // The plan is with the server by now: nobody may read "refused" and start it under another id.
      throw error instanceof NoAnswer ? new LostSight(error.message) : error;
    }
  });
}

/**
 * The latest run under the id. The server would let a failed, cancelled or terminated id start again with any plan, and
 * attach to a running one whatever it runs: so the plans are compared here, and once more after the start.
 */
async function recordedRun(context: ClientContext, { plan, workflowId }: Order): Promise<Run | undefined> {
  const run = await findRun(context, workflowId);
  if (!run || (await recordedFingerprint(context, run)) === fingerprint(plan)) return run;
  // A run that was refused says nothing of the plan that the id belongs to. The workflow asks the ledger.
  if (!(await wasAnotherPlan(context, run))) {
    throw new UsageError(
      `The plan differs from the recorded plan; use a new workflow id (workflow id "${oneLine(workflowId)}")`,
    );
  }
  return run;
}

async function send(context: ClientContext, order: Order): Promise<void> {
  const { client, call, taskQueue } = context;
  const { plan, policy, workflowId } = order;
  try {
    await call(() =>
      client.workflow.start(workflowType, {
        workflowId,
        taskQueue,
        args: [{ plan, policy }],
        // Another start may be faster: then this one attaches to its run. That is also what finds the plan again whose
        // start was accepted but whose answer was lost. A request id derived from the plan would do that as well, but
        // for ever: the server would answer with the old run also when that has failed and is to be run again. So
        // each call has a new one, and only the SDK's own retries within the call share it.
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        memo: { planFingerprint: fingerprint(plan), summary: planSummary(plan) },
        staticSummary: planSummary(plan),
        staticDetails: planDetails(plan),
      }),
    );
  } catch (error) {
    if (isServerTrouble(error)) {
      const again = `the same command with --workflow-id ${shellQuote(workflowId)} attaches to it or starts it`;
      throw new LostSight(`It is not known whether the plan was started (${serverTrouble(error)}): ${again}`);
    }
    // Started by somebody else and already completed, all since we looked: its report is the answer.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  await recordedRun(context, order);
}

function introduce(
  { json, stream }: Output,
  context: ClientContext,
  { plan, workflowId }: Order,
  uiUrl?: string,
): void {
  const { address, namespace } = context;
  const link = webLink(address, namespace, workflowId, uiUrl);
  const keys = json ? [] : ['Keys:', ...keyTable(plan, namespace, workflowId).map((line) => `  ${line}`)];
  const lines = [`Workflow id: ${workflowId}`, ...keys, ...(link ? [`Web UI: ${link}`] : [])];
  stream.write(`${lines.join('\n')}\n`);
}
