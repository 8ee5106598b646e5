import { beforeAll, describe, expect, test } from 'vitest';
import { charge } from '../rig/plans.js';
import { expectRefusal } from './finished.js';
import { useRig } from './rig.js';

const rig = useRig();

/**
 * The promise is 10 s on a machine that is not busy. Here it only has to be told from waiting for ever: the program's own
 * start, which on a busy machine takes long by itself, is taken off, and the rest may take three times as long.
 */
const promised = 30_000;
let start = 0;

beforeAll(async () => {
  const { begin, file } = rig();
  start = (await begin(['keys', await file({ steps: [charge()] }), '--workflow-id', 'w']).finished).ms;
});

describe('who does not answer is named within 10 s', () => {
  test('no server', async () => {
    const finished = await rig().begin(['watch', 'w1'], { TEMPORAL_ADDRESS: '127.0.0.1:1' }).finished;
    expectRefusal(finished, /No Temporal server at 127.0.0.1:1 .*is TEMPORAL_ADDRESS right/);
    expect(finished.ms - start).toBeLessThan(promised);
  });

  test('another service on the port', async () => {
    const { begin, sandbox } = rig();
    const finished = await begin(['list'], { TEMPORAL_ADDRESS: new URL(sandbox.mailUrl).host }).finished;
    expectRefusal(finished, /No Temporal server at 127.0.0.1/);
    expect(finished.ms - start).toBeLessThan(promised);
  });

  test('no worker: nothing is started', async () => {
    const { begin, file, newId, temporal } = rig();
    const id = newId();
    const command = ['start', await file({ steps: [charge()] }), '--workflow-id', id, '--json'];
    const finished = await begin(command, { TEMPORAL_TASK_QUEUE: 'nobody-polls-this' }).finished;
    expectRefusal(finished, /No worker polls task queue "nobody-polls-this".*nothing was started/);
    expect(finished.ms - start).toBeLessThan(promised);
    await expect(temporal.workflow.getHandle(id).describe()).rejects.toThrow(/not found/i);
  });

  test('a worker that has gone, which the server still lists: the plan waits for the next one', async () => {
    const { begin, client, file, newId, startWorker, stopWorker } = rig();
    const id = newId();
    await stopWorker();
    const command = ['start', await file({ steps: [charge()] }), '--workflow-id', id];
    const finished = await begin(command).finished;
    expect(finished.code).toBe(3);
    expect(finished.stderr).toMatch(/No worker answers on task queue .*; the plan goes on when one does/);
    expect(finished.ms - start).toBeLessThan(promised);

    await startWorker();
    expect(await client(command)).toMatchObject({ code: 0, stderr: '' });
    expect(rig().sandbox.effects().charges).toHaveLength(1);
  });
});
