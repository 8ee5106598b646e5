/*
 * `node scripts/run.mjs FILE.ts …` runs a TypeScript file in this very process.
 *
 * tsx's own command runs it in a second process, and kills that one with SIGKILL if it does not acknowledge a signal
 * within 60 ms. A process that is bundling workflow code cannot, and what it had started was left behind.
 */
import { spawn } from 'node:child_process';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [file, ...args] = process.argv.slice(2);

if ('register' in nodeModule) {
  process.argv = [process.argv[0], resolve(file), ...args];
  await import('tsx');
  await import(pathToFileURL(file).href);
} else {
  // Node before 20.6 takes a loader on its command line only, and looks for its name from the working folder.
  const loader = pathToFileURL(nodeModule.createRequire(import.meta.url).resolve('tsx')).href;
  const child = spawn(process.execPath, ['--no-warnings', '--loader', loader, file, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => (process.exitCode = code ?? 128 + constants.signals[signal]));
}
