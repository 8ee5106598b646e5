import proto from '@temporalio/proto';
import { expect, test } from 'vitest';
import type { Report } from '../../src/plan/report.js';
import { charge, email } from '../rig/plans.js';
import { world } from '../rig/world.js';
import { useRig } from './rig.js';

const rig = useRig();

test('shows what waits and how to answer; Ctrl-C leaves the plan, and a later look finds it', async () => {
  const { begin, client, file, newId, temporal } = rig();
  const id = newId();
  const plan = await file({ steps: [{ id: 'big', approval: true, ...charge() }] });
  const watching = begin(['start', plan, '--workflow-id', id]);
  await watching.said(new RegExp(`Step 0 waits .*approve ${id} big\n.*reject ${id} big\n`, 's'));
  watching.child.kill('SIGINT');
  const { code, stderr } = await watching.finished;
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: `The plan goes on. Watch it again: npm run -s client -- watch ${id}\n`,
  });
  expect((await temporal.workflow.getHandle(id).describe()).status.name).toBe('RUNNING');

  const status = await client(['status', id, '--json']);
  expect(status).toMatchObject({ code: 4, stderr: '' });
  expect(JSON.parse(status.stdout)).toMatchObject({
    status: 'waiting_for_approval',
    steps: [{ id: 'big', status: 'waiting_for_approval' }],
  });
  const detached = await client(['start', plan, '--workflow-id', id, '--detach', '--json']);
  expect(detached).toMatchObject({ code: 4, stdout: status.stdout });
});

test('counts the attempts and says what the last one came to', async () => {
  const { begin, client, file, newId, sandbox } = rig();
  sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop', times: 'always' });
  const id = newId();
  const watching = begin(['start', await file({ steps: [charge()] }), '--workflow-id', id]);
  await watching.said(/step 0 · charge \$25.00 · running · attempt [2-9] · last: .*connection/);
  const status = await client(['status', id, '--json']);
  expect((JSON.parse(status.stdout) as Report).steps[0]?.attempts).toBeGreaterThan(1);
  sandbox.clearFaults();
  expect((await watching.finished).code).toBe(0);
});

test('follows a run that is reset to its newer run', async () => {
  const { begin, client, file, newId, sandbox, temporal } = rig();
  const before = world(sandbox);
  const id = newId();
  const plan = await file({ steps: [charge(), { approval: true, ...email() }] });
  const watching = begin(['start', plan, '--workflow-id', id, '--json']);
  await watching.said(/Step 1 waits/);

  const { runId } = await temporal.workflow.getHandle(id).describe();
  const { ResetWorkflowExecutionRequest } = proto.temporal.api.workflowservice.v1;
  const reset = await temporal.workflowService.resetWorkflowExecution(
    ResetWorkflowExecutionRequest.fromObject({
      namespace: 'default',
      workflowExecution: { workflowId: id, runId },
      // The end of the first workflow task: everything is done anew.
      workflowTaskFinishEventId: 4,
      requestId: id,
    }),
  );
  expect((await client(['approve', id, '1'])).code).toBe(0);

  const { code, stdout } = await watching.finished;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ runId: reset.runId, status: 'completed', steps: [{ replays: 1 }, {}] });
  expect(world(sandbox)).toMatchObject({ charged: [...before.charged, 2500], emails: before.emails + 1 });
});

test('a worker that goes and comes back: it is said, and the plan is followed to its end', async () => {
  const { begin, client, file, newId, startWorker, stopWorker } = rig();
  const id = newId();
  const plan = await file({ steps: [{ approval: true, ...email() }] });
  const watching = begin(['start', plan, '--workflow-id', id]);
  await watching.said(/Step 0 waits/);
  await stopWorker();
  await watching.said(/No worker answers on task queue/);
  await startWorker();
  await watching.said(/There is an answer again/);
  expect((await client(['reject', id, '0', '--note', 'not today'])).code).toBe(0);
  const { code, stdout } = await watching.finished;
  expect(code).toBe(1);
  expect(stdout).toMatch(/failed +ApprovalRejected\nStep 0: not today\n$/);
});
