import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { untilReady } from '../../../src/sandbox/temporal/readiness.js';
import { startTemporal } from '../../../src/sandbox/temporal/start.js';
import { fakeMachine } from './fakes.js';

it('takes another port when the server finds its own taken, and gives up after five', async () => {
  const machine = await fakeMachine();
  const loser = `[ "$1" = --version ] && echo "temporal version 0" && exit
echo "Error: can't set frontend port: listen tcp: bind: address already in use" >&2
exit 1`;
  const env = { ...machine.env, TEMPORAL_CLI_PATH: await machine.add('loser', loser) };
  const lines: string[] = [];
  const lost = startTemporal({ env, headless: true, log: (line) => lines.push(line) });
  await expect(lost).rejects.toThrow('address already in use');
  expect(lines.filter((line) => line.includes('taken by another process'))).toHaveLength(4);
  const ports = (await machine.calls()).flatMap((call) => /--port (\d+)/.exec(call)?.[1] ?? []);
  expect(new Set(ports).size).toBe(5);
});

it('starts a server again that crashed, and tells the cause of the last crash before its stack', async () => {
  const machine = await fakeMachine();
  const crashing = `[ "$1" = --version ] && echo "temporal version 0" && exit
echo "panic: send on closed channel" >&2
for line in 1 2 3 4 5 6 7; do echo "stack $line" >&2; done
exit 2`;
  const env = { ...machine.env, TEMPORAL_CLI_PATH: await machine.add('crashing', crashing) };
  const lines: string[] = [];
  const crashed = startTemporal({ env, headless: true, log: (line) => lines.push(line) });
  await expect(crashed).rejects.toThrow(/code 2: panic: send on closed channel \| stack 3 .* stack 7$/);
  expect(lines.filter((line) => line.includes('crashed while it started'))).toHaveLength(4);
});

it('never takes the answer of the server that won for its own', async () => {
  const winner = await startTemporal({ headless: true });
  onTestFinished(winner.stop);
  let running = true;
  const ended = sleep(500).then(() => {
    running = false;
    return 'ended with code 1: address already in use';
  });
  const loser = { pid: 0, hasPorts: () => false, isRunning: () => running, ended, stop: () => Promise.resolve() };
  await expect(untilReady(loser, winner.address, ['default'], undefined)).rejects.toThrow('address already in use');
});
