/* Workflow ids are unique only within a namespace: the same id in two of them is two plans, also in one ledger. */
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { Report } from '../../src/plan/report.js';
import { patience } from '../limits.js';
import { charge, email } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { type Stage, withStage } from './stage.js';

const day = 86_400; // s; the shortest that a server keeps closed workflows

async function register({ client }: Stage, namespace: string): Promise<void> {
  await client().workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: day as never },
  });
  // Each part of the server learns of it in its own time; the one that starts workflows counts.
  await vi.waitFor(() => client(namespace).workflow.count(), patience);
}

test('the same workflow id in two namespaces: two effects under two keys, and each only once', async (context) => {
  const stage = await withStage(context);
  const namespaces = ['default', `shop-${randomUUID()}`];
  await register(stage, namespaces[1] ?? '');
  const workflowId = stage.newId();
  const plan = { steps: [charge(), email()] };
  for (const namespace of namespaces) await stage.startWorker({ namespace });

  const runAll = async (): Promise<Report[]> => {
    const handles = await Promise.all(namespaces.map((namespace) => stage.start(plan, { workflowId, namespace })));
    return Promise.all(handles.map(async (handle) => (await handle.result()) as Report));
  };
  const reports = await runAll();
  const again = await runAll();

  expect(reports.map(({ namespace, status }) => ({ namespace, status }))).toEqual(
    namespaces.map((namespace) => ({ namespace, status: 'completed' })),
  );
  expect(world(stage.sandbox)).toMatchObject({ charged: [2500, 2500], emails: 2, posts: { length: 4 } });
  expect(new Set(reports.flatMap(({ steps }) => steps.map(({ key }) => key))).size).toBe(4);
  expect(again.map(({ steps }) => steps.map(({ result }) => result))).toEqual(
    reports.map(({ steps }) => steps.map(({ result }) => result)),
  );
  for (const [index, namespace] of namespaces.entries()) {
    const records = await stage.ledger.receipts({ namespace, workflowId });
    expect(records.map(({ key }) => key)).toEqual(reports[index]?.steps.map(({ key }) => key));
  }
});
