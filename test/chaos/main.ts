/*
 * `npm run chaos`: many plans through a storm, then an audit of every word that was said about them.
 *
 *     plans ─▶ workers ─▶ lossy wires ─▶ the outside world
 *       ▲         ▲            ▲               ▲
 *   reset, cancel, kill    lose, cut,      kill, let a day pass, and at the end
 *   terminate,             delay           compare: report = ledger = effects?
 *   start again
 */
import { once } from 'node:events';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { Teardown } from '../../src/demo/teardown.js';
import { noCounts } from './counts.js';
import { readOptions } from './options.js';
import { runPlans } from './run.js';
import { Stage } from './stage.js';
import { table } from './table.js';
import { isClean, judge, type Verdict } from './verdict.js';

const options = readOptions(process.argv);
const begun = performance.now();
const seconds = (): number => Math.round((performance.now() - begun) / 1000);
const log = (line: string): void => void process.stderr.write(`${String(seconds()).padStart(5)} s  ${line}\n`);

async function run(teardown: Teardown, keepFolder: () => boolean): Promise<Verdict> {
  const counts = noCounts();
  const stage = await Stage.set(options, teardown, keepFolder);
  log(`${options.plans} plans with seed ${options.seed}, ${options.workers} workers`);
  const stories = await runPlans(stage, counts, options, log);
  log('the audit');
  const ledger = await openLedger(stage.temporal.ledgerUrl);
  teardown.add(() => ledger.close());
  return judge(stories, ledger, await stage.sandbox.effects(), counts, seconds());
}

const stop = new AbortController();
const teardown = new Teardown();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
/** Rejects as soon as somebody asks for the end, whatever is going on. */
const stopped = once(stop.signal, 'abort').then(() => {
  throw new Error('stopped');
});
stopped.catch(() => undefined);

let verdict: Verdict | undefined;
try {
  // What a run leaves behind is of use where it went wrong.
  const keepFolder = (): boolean => !stop.signal.aborted && !(verdict && isClean(verdict));
  verdict = await Promise.race([stopped, run(teardown, keepFolder)]);
  process.stdout.write(`${options.json ? '' : `${table(verdict)}\n\n`}${JSON.stringify(verdict)}\n`);
  process.exitCode = isClean(verdict) ? 0 : 1;
} catch (error) {
  process.exitCode = stop.signal.aborted ? 130 : 1; // 130 as shells say of a command that Ctrl-C ended
  if (!stop.signal.aborted) process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
} finally {
  // The SDK throws out of a timer when it tries a call again whose connection is closed; everything is to be stopped all the same.
  process.on('uncaughtException', () => undefined);
  await teardown.run();
}
// Plans that are still being followed after a failure must not keep the process alive.
process.exit();
