import { config } from 'dotenv';
import { pino } from 'pino';
import { readOptions } from './options.js';
import { startSandbox } from './sandbox.js';

/**
 * `npm run -s sandbox`: until Ctrl-C. One JSON line on stdout when it is ready, everything else on stderr.
 * Exit code 0 when it was told to stop, 2 when it could not start.
 */
config({ quiet: true });
const logger = pino({ name: 'sandbox' }, pino.destination({ dest: 2, sync: true }));

try {
  const options = readOptions(process.argv, process.env);
  const sandbox = await startSandbox({ ...options, log: (message, details) => logger.warn(details, message) });
  const stop = (): void => {
    // Work that a fault keeps waiting in a service must not keep the process alive.
    void sandbox.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const { ports, url, stripeUrl, mailUrl } = sandbox;
  console.log(JSON.stringify({ ready: true, ports, url, stripeUrl, mailUrl }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
