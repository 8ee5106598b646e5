/*
 * `npm run demo`: the same plan twice, while every first answer is lost.
 *
 *   once:           the key was given out with the plan ─▶ the retry gets the first answer again ─▶ one charge
 *   the broken way: a new key for every attempt         ─▶ the retry is a new operation          ─▶ two charges
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { programNamed } from '../command.js';
import { readInputFile } from '../config.js';
import { fingerprint } from '../plan/fingerprint.js';
import { parsePlan } from '../plan/plan.js';
import { activitySettings, validatePolicy } from '../plan/policy.js';
import { TemporalProblem } from '../sandbox/temporal/problem.js';
import { setStage, type Stage } from './stage.js';
import { summary } from './summary.js';
import { type Tally, tally } from './tally.js';
import { Teardown, whenStopped } from './teardown.js';
import { withTimeline } from './timeline.js';

/** Time-outs short enough to watch. */
const policy = validatePolicy({
  activity: { requestTimeout: '1s', startToCloseTimeout: '2s', initialInterval: '200ms', maximumInterval: '1s' },
});
const { requestTimeout, startToCloseTimeout, initialInterval } = activitySettings(policy);
const plan = parsePlan(readInputFile('plan', fileURLToPath(new URL('../../plans/order.json', import.meta.url))));

const options = programNamed(
  'demo',
  'Runs plans/order.json while every first answer is lost, the right way and the broken way',
)
  .option('--json', 'print both as one JSON document on stdout')
  .option('--keep', 'leave everything up until Ctrl-C')
  .parse()
  .opts<{ json?: true; keep?: true }>();

/** People read progress on stdout, unless a program reads JSON there. */
const print = (line: string): void => void (options.json ? process.stderr : process.stdout).write(`${line}\n`);

/** One run of the plan, with the first answer of either provider withheld: the effect is committed, the caller times out. */
async function run({ sandbox }: Stage, workflowId: string, start: () => Promise<unknown>): Promise<Tally> {
  sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'hang' });
  sandbox.addFault({ service: 'mail', match: 'POST /emails', fault: 'hang' });
  const before = sandbox.effects();
  await withTimeline(sandbox, print, Promise.race([stopped, start()]));
  return tally(workflowId, before, sandbox.effects());
}

function announce(stage: Stage, title: string, workflowId: string): void {
  const link = stage.webUi(workflowId);
  print(`\n${title}: workflow ${workflowId}${link === undefined ? '' : `\n  ${link}`}`);
}

async function show(stage: Stage): Promise<void> {
  const { client, taskQueue, brokenTaskQueue } = stage;
  const workflowId = `order-${randomUUID()}`;
  announce(stage, 'Once', workflowId);
  const right = await run(stage, workflowId, () =>
    client.workflow.execute('agentPlan', {
      workflowId,
      taskQueue,
      args: [{ plan, policy }],
      memo: { planFingerprint: fingerprint(plan) },
      staticSummary: plan.goal ?? 'Demo',
    }),
  );
  const brokenId = `broken-${workflowId}`;
  announce(stage, 'The broken way', brokenId);
  const broken = await run(stage, brokenId, () =>
    client.workflow.execute('brokenPlan', {
      workflowId: brokenId,
      taskQueue: brokenTaskQueue,
      args: [plan, startToCloseTimeout, initialInterval],
      staticSummary: 'The broken way: a new key for every attempt',
    }),
  );
  print(`\nWhat the outside world saw, with the first answer of each provider lost:\n\n${summary(right, broken)}`);
  if (options.json) process.stdout.write(`${JSON.stringify({ once: right, broken }, null, 2)}\n`);
}

/** A signal to the whole group reaches all of it at once; a loop that is busy with bundling hears of it later. */
const signalDelayMs = 200;

const stop = new AbortController();
const teardown = new Teardown();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
const stopped = whenStopped(stop.signal);

try {
  const stage = await setStage(requestTimeout, teardown, stop.signal, print);
  await show(stage);
  if (options.keep) {
    print(`\nStill up: ${stage.sandbox.url} (what the outside world saw). Ctrl-C ends it.`);
    await stopped;
  }
} catch (error) {
  // Ctrl-C goes to the workers as well, and the end of one may be heard of before the signal itself.
  await Promise.race([stopped.catch(() => undefined), sleep(signalDelayMs)]);
  if (!stop.signal.aborted) {
    process.exitCode = error instanceof TemporalProblem ? 2 : 1;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  } else if (!options.keep) process.exitCode = 130; // as shells say of a command that Ctrl-C ended
} finally {
  await teardown.run();
  // What is still being bundled, or on its way to a server that has gone, is of no use to anybody.
  process.stdout.write('', () => process.exit());
}
