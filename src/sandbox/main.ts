import { config } from 'dotenv';
import { pino } from 'pino';
import { readOptions } from './options.js';
import { startSandbox } from './sandbox.js';

/**
 * `npm run -s sandbox`: until Ctrl-C. One JSON line on stdout when it is ready, everything else on stderr.
 * Exit code 0 when it was told to stop, 1 when its state could not be closed then, 2 when it could not start.
 */
config({ quiet: true });
const logger = pino({ name: 'sandbox' }, pino.destination({ dest: 2, sync: true }));

try {
  const options = readOptions(process.argv, process.env);
  const sandbox = await startSandbox({ ...options, log: (message, details) => logger.warn(details, message) });
  let ending: Promise<void> | undefined;
  const stop = (): void => {
    // Work that a fault keeps waiting in a service must not keep the process alive.
    ending ??= sandbox.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ error: String(error) }, 'the state could not be closed');
        process.exit(1);
      },
    );
  };
  // Each as often as it comes: of one Ctrl-C a process below npm hears twice, from the terminal and from npm.
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const { ports, url, stripeUrl, mailUrl } = sandbox;
  console.log(JSON.stringify({ ready: true, ports, url, stripeUrl, mailUrl }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
