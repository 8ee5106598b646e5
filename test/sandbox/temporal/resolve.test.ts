import { expect, it, onTestFinished } from 'vitest';
import { resolveTemporal } from '../../../src/sandbox/temporal/resolve.js';
import { fakeCli, fakeMachine } from './fakes.js';

it('uses the server that TEMPORAL_ADDRESS names: nothing is searched, started or stopped', async () => {
  const machine = await fakeMachine();
  await machine.add('temporal', fakeCli);
  const env = { ...machine.env, TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_NAMESPACE: 'orders' };
  const lines: string[] = [];
  const { stop, ...resolved } = await resolveTemporal({ env, log: (line) => lines.push(line) });
  expect(resolved).toEqual({ address: 'temporal.example:7233', namespace: 'orders' });
  expect(lines).toEqual(['temporal: temporal.example:7233, by TEMPORAL_ADDRESS; no server is started']);
  await stop();
  expect(await machine.calls()).toEqual(['']);
});

it('starts a server otherwise, with the namespace that the environment names', async () => {
  const env = { ...process.env, TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: 'orders' };
  const { address, uiUrl, namespace, stop } = await resolveTemporal({ env });
  onTestFinished(stop);
  expect({ address, uiUrl, namespace }).toEqual({
    address: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
    uiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
    namespace: 'orders',
  });
});
