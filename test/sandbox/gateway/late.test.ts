/* The answer comes late: after the effect that was committed at once (`late`), or with one that took its time (`slow`). */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FaultName } from '../../../src/sandbox/gateway/fault-names.js';
import { untilReleased } from '../../rig/held-delays.js';
import { openWire, post, rawPost, startGateway, type Rig } from './rig.js';

/** Long enough for anything on loopback to have arrived. */
const quietMs = 300;

async function withFault(fault: FaultName, delayMs = untilReleased): Promise<Rig> {
  const rig = await startGateway();
  rig.addFault({ fault, delayMs });
  return rig;
}

test.each(['late', 'slow'] as const)('%s: not before delayMs', async (fault) => {
  const rig = await withFault(fault, 400);
  const begin = performance.now();
  await post(rig);
  expect(performance.now() - begin).toBeGreaterThanOrEqual(395);
});

test('late: the effect is committed at once', async () => {
  const rig = await withFault('late');
  const answer = post(rig);
  await expect.poll(() => rig.service.commits).toEqual(['k']);
  await expect.poll(() => rig.entries()).toMatchObject([{ answer: 'executed', status: null, fault: 'late' }]);
  await rig.release();
  expect(await (await answer).json()).toMatchObject({ id: 'pi_1' });
  expect(rig.entries()).toMatchObject([{ answer: 'executed', status: 200 }]);
});

test('slow: the effect is committed at the end', async () => {
  const rig = await withFault('slow');
  const answer = post(rig);
  await expect.poll(() => rig.service.requests).toHaveLength(1);
  expect(rig.entries()).toMatchObject([{ answer: 'none', status: null, fault: 'slow' }]);
  expect(rig.service.commits).toEqual([]);
  await rig.release();
  expect((await answer).status).toBe(200);
  expect(rig.service.commits).toEqual(['k']);
  expect(rig.entries()).toMatchObject([{ answer: 'executed', status: 200 }]);
});

/** A caller that has sent its request; it leaves, and the gateway has seen it go. */
async function callerThatLeaves(rig: Rig): Promise<() => Promise<void>> {
  const { socket } = openWire(rig.port);
  socket.write(rawPost('k'));
  await expect.poll(() => rig.service.requests).toHaveLength(1);
  return async () => {
    socket.destroy();
    await expect.poll(rig.connections).toBe(0);
  };
}

test('slow: a caller that gives up does not stop the work', async () => {
  const rig = await withFault('slow');
  const leave = await callerThatLeaves(rig);
  await leave();
  await rig.release();
  await expect.poll(() => rig.service.commits).toEqual(['k']);
  await expect.poll(() => rig.entries()[0]).toMatchObject({ answer: 'executed', status: null });
});

test('late: a caller that has left is not written down as answered', async () => {
  const rig = await withFault('late');
  const leave = await callerThatLeaves(rig);
  await expect.poll(() => rig.service.commits).toEqual(['k']);
  await leave();
  await wait(quietMs);
  expect(rig.entries()).toMatchObject([{ answer: 'executed', status: null }]);
});
