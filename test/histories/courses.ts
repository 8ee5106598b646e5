import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { idempotencyKey } from '../../src/plan/idempotency-key.js';
import type { Report } from '../../src/plan/report.js';
import type { FaultRule, Sandbox } from '../../src/sandbox/sandbox.js';
import { charge, declined, email, refund } from '../rig/plans.js';

/** What a course has at hand: a worker is there, and everything is healthy until it says otherwise. */
export interface Scene {
  client: Client;
  sandbox: Sandbox;
  workflowId: string;
  start: (plan: object, policy?: object) => Promise<WorkflowHandle>;
}

/** More than the worker's own policy allows one plan. */
export const spendingLimit = 100_000;

const needsApproval = (step: object): object => ({ ...step, approval: true });
const undoing = (...steps: object[]): object => ({ onFailure: 'undo', steps });
const lookup = { tool: 'lookup_charge', args: { charge: 0 } };
const charges = (fault: FaultRule['fault'], more: Partial<FaultRule> = {}): FaultRule => ({
  ...{ service: 'stripe', match: 'POST /v1/payment_intents', fault },
  ...more,
});

/** Whatever it ends with. */
const end = (handle: WorkflowHandle): Promise<unknown> => handle.result().catch(() => undefined);

async function until(happened: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await happened())) await sleep(20);
}

const waits = async (handle: WorkflowHandle, index: number): Promise<boolean> =>
  (await handle.query<Report>('report')).steps[index]?.status === 'waiting_for_approval';

function approve(handle: WorkflowHandle, step: number): Promise<unknown> {
  const key = idempotencyKey({ namespace: 'default', workflowId: handle.workflowId, stepIndex: step, purpose: 'do' });
  return handle.executeUpdate('decide', { args: [{ step, key, approve: true }], updateId: `decide-${step}` });
}

/** One plan each; the history of the latest run under its id is kept under the course's name. */
export const courses: Record<string, (scene: Scene) => Promise<unknown>> = {
  async completed({ start }) {
    await end(await start({ steps: [charge(), refund(0, 1000), lookup, email('{{0.id}} {{2.amount_refunded}}')] }));
  },

  async 'lost-answer'({ sandbox, start }) {
    sandbox.addFault(charges('drop', { times: 2 }));
    await end(await start({ steps: [charge(), email()] }));
  },

  async declined({ start }) {
    await end(await start({ steps: [charge(), declined(), email()] }));
  },

  async undone({ start }) {
    await end(await start(undoing(charge(2500), charge(4000), declined())));
  },

  async 'cancelled-with-undo'({ sandbox, start }) {
    sandbox.addFault(charges('late', { delayMs: 1_000 }));
    const handle = await start(undoing(charge(), email()));
    await until(() =>
      sandbox.effects().charges.some(({ metadata }) => metadata['plan_workflow'] === handle.workflowId),
    );
    await handle.cancel();
    await end(handle);
  },

  async 'approval-given'({ start }) {
    const handle = await start({ steps: [charge(), needsApproval(charge(9900)), email()] });
    await until(() => waits(handle, 1));
    await approve(handle, 1);
    await end(handle);
  },

  /** Decided before it waited; then the run is reset, which admits the decisions again, still earlier. */
  async 'approval-early-and-reset'({ client, start, workflowId }) {
    const handle = await start({ steps: [needsApproval(charge()), needsApproval(email())] });
    await until(() => waits(handle, 0));
    await approve(handle, 1);
    await approve(handle, 0);
    await end(handle);
    const { runId } = await handle.describe();
    const { events } = await handle.fetchHistory();
    const first = events?.find((event) => event.workflowTaskCompletedEventAttributes);
    if (!first?.eventId) throw new Error('a run without a workflow task');
    await client.workflowService.resetWorkflowExecution({
      ...{ namespace: 'default', workflowExecution: { workflowId, runId }, requestId: randomUUID() },
      workflowTaskFinishEventId: first.eventId,
    });
    await end(client.workflow.getHandle(workflowId));
  },

  async 'approval-timed-out'({ start }) {
    await end(await start({ steps: [charge(), needsApproval(email())] }, { approvalTimeout: '1s' }));
  },

  async 'outcome-unknown'({ sandbox, start }) {
    sandbox.addFault(charges('drop', { times: 'always' }));
    await end(
      await start({ steps: [charge(), email()] }, { activity: { maximumAttempts: 2, initialInterval: '50ms' } }),
    );
  },

  async refused({ start }) {
    await end(await start({ steps: [charge(spendingLimit), charge(), email()] }));
  },

  /** The first run failed at the e-mail; this one is told by the ledger what happened, and goes on. */
  async 'started-again'({ sandbox, start }) {
    sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: '502-before', times: 'always' });
    const plan = { steps: [needsApproval(charge()), email()] };
    const handle = await start(plan, { activity: { maximumAttempts: 1 } });
    await approve(handle, 0);
    await end(handle);
    sandbox.clearFaults();
    await end(await start(plan));
  },
};
