/*
 * A worker as `src/worker.ts` runs it, with the workflow code bundled ahead, and broken if CHAOS_SABOTAGE says how.
 */
import { runCommand } from '../../src/command.js';
import { readEnvironment, workerConfig } from '../../src/config.js';
import { runWorker } from '../../src/run-worker.js';
import type { SabotageName } from './sabotage/names.js';
import { sabotageOf } from './sabotage/sabotage.js';

await runCommand(async () => {
  const env = readEnvironment();
  const sabotage = env['CHAOS_SABOTAGE'];
  await runWorker(workerConfig(env), {
    workflowCode: { workflowBundle: { codePath: env['CHAOS_WORKFLOW_BUNDLE'] ?? '' } },
    ...(sabotage ? { change: sabotageOf[sabotage as SabotageName] } : {}),
  });
  return 0;
});
