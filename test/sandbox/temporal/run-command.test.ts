import { expect, it } from 'vitest';
import { runCommand } from '../../../src/sandbox/temporal/run-command.js';
import { fakeMachine } from './fakes.js';

it('ends a command that takes too long, even one that ignores SIGTERM and leaves a child on the pipe', async () => {
  const machine = await fakeMachine();
  const command = await machine.add('stubborn', "trap '' TERM\n/bin/sleep 20 &\n/bin/sleep 20");
  const started = Date.now();
  const result = await runCommand([command], { env: machine.env }, 300);
  expect(result).toEqual({ ok: false, output: `${command} gave no answer within 0.3 s` });
  expect(Date.now() - started).toBeLessThan(15_000);
});

it('ends the command and rejects when it is aborted', async () => {
  const machine = await fakeMachine();
  const command = await machine.add('slow', 'exec /bin/sleep 20');
  const abort = new AbortController();
  const result = runCommand([command], { env: machine.env, signal: abort.signal }, 20_000);
  abort.abort(new Error('Ctrl-C'));
  await expect(result).rejects.toThrow('Ctrl-C');
  await expect(runCommand([command], { env: machine.env, signal: abort.signal }, 20_000)).rejects.toThrow();
});
