import { once } from 'node:events';
import { config } from 'dotenv';
import { DEFAULT_PORT, readOptions } from './options.js';
import { HOST } from './ports.js';
import { TemporalProblem } from './problem.js';
import { startTemporal } from './start.js';

/**
 * `npm run -s temporal`: a Temporal development server until Ctrl-C. One JSON line on stdout when it is ready,
 * everything else on stderr. Exit code 0 when it was told to stop, 2 when it could not start or go on.
 */
config({ quiet: true });
const log = (line: string): void => console.error(line);
const told = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => told.abort());

try {
  const options = readOptions(process.argv);
  const server = await startTemporal({ ...options, log, onServerLine: log, signal: told.signal });
  const { address, uiUrl, namespaces } = server;
  console.log(JSON.stringify({ ready: true, address, ui: uiUrl, namespaces }));
  const elsewhere = process.env['TEMPORAL_ADDRESS'] || `${HOST}:${DEFAULT_PORT}`;
  if (elsewhere !== address) {
    log(`worker and client will go to ${elsewhere}, not to this server: set TEMPORAL_ADDRESS=${address} for them`);
  }
  const stop = told.signal.aborted ? Promise.resolve() : once(told.signal, 'abort');
  const death = await Promise.race([stop.then(() => undefined), server.ended]);
  if (death !== undefined) throw new TemporalProblem(`the Temporal server ${death}`);
  await server.stop();
} catch (error) {
  if (!told.signal.aborted) {
    if (!(error instanceof TemporalProblem)) throw error;
    log(error.message);
    process.exitCode = 2;
  }
}
