import { programNamed, runCommand } from './command.js';
import { readEnvironment, workerConfig } from './config.js';
import { runWorker } from './run-worker.js';

programNamed('worker', 'Runs plans until it is told to stop. Its settings come from the environment and .env.').parse();
await runCommand(async () => {
  await runWorker(workerConfig(readEnvironment()));
  return 0;
});
