import { setTimeout as sleep } from 'node:timers/promises';
import { LostSight, NoAnswer } from './lost-sight.js';
import { recordedPlan, requireRun, type Run } from './recorded-run.js';
import { readStanding, type Standing } from './standing.js';
import { type ClientContext, isServerTrouble, serverTrouble } from './temporal.js';

/** Often enough to look live, and two calls that cost the server and the worker about a millisecond each. */
const pollInterval = 300;

/** One try to get an answer out of a worker. One that is dead may be asked for some seconds before the server knows. */
const answerTimeout = 3_000;
const shortestTimeout = 500;

/** Nobody answers: said after this. */
const patience = 6_500;

/** From the start of this program: that nobody answers at all is to be said within 10 s (design 4.3). */
const firstPatience = 8_500;
/** Where the start itself took long, an answer must have its chance all the same. */
const leastPatience = 4_000;

/** A plan under way is not left at once: a worker that was killed or deployed anew is back within minutes. */
const longPatience = 5 * 60_000;

export interface Watcher {
  show(standing: Standing): void;
  /** Something to be told once, beside the standing. */
  note(text: string): void;
}

/**
 * Looks at a plan until its standing satisfies `until`, and returns that. It never waits for a run's own result: a run
 * that is reset would reject it, whereas the next look is at the new run by itself.
 * Throws `NoAnswer` if nobody answers from the start, `LostSight` if nobody answers any more.
 */
export async function follow(
  context: ClientContext,
  workflowId: string,
  until: (standing: Standing) => boolean,
  watcher?: Watcher,
): Promise<Standing> {
  let run: Run | undefined;
  let plan: Standing['plan'];
  let answered = false;
  let told = false;
  let giveUp = Math.max(performance.timeOrigin + firstPatience, Date.now() + leastPatience);
  for (;;) {
    let [silent, prospect] = [
      `The Temporal server at ${context.address} does not answer`,
      'the plan is not stopped by that',
    ];
    try {
      const latest = await requireRun(context, workflowId);
      if (latest.runId !== run?.runId) plan = await recordedPlan(context, latest);
      // A history that grows is a sign of life too: a worker is at work, only too busy to answer.
      if (run && latest.historyLength !== run.historyLength) giveUp = Date.now() + patience;
      run = latest;
      silent = `No worker answers on task queue "${run.taskQueue}"`;
      prospect = 'the plan goes on when one does';
      const timeout = Math.max(shortestTimeout, Math.min(answerTimeout, giveUp - Date.now()));
      const standing = { ...(await readStanding(context, run, timeout)), ...(plan ? { plan } : {}) };
      giveUp = Date.now() + patience;
      if (told) watcher?.note('There is an answer again.');
      // Of a plan that had ended before the first look there is no progress to show.
      if (answered || !standing.closed) watcher?.show(standing);
      [answered, told] = [true, false];
      if (until(standing)) return standing;
    } catch (error) {
      if (!isServerTrouble(error)) throw error;
      const late = Date.now() - giveUp;
      if (late > 0) {
        const trouble = `${silent} (${serverTrouble(error)}); ${prospect}`;
        if (!answered) throw new NoAnswer(trouble);
        if (late > longPatience) throw new LostSight(trouble);
        if (!told) watcher?.note(trouble);
        told = true;
      }
    }
    await sleep(pollInterval);
  }
}
