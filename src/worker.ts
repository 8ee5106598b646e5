import { runCommand } from './command.js';
import { readEnvironment, workerConfig } from './config.js';
import { runWorker } from './run-worker.js';

await runCommand(async () => {
  await runWorker(workerConfig(readEnvironment()));
  return 0;
});
