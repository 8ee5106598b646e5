import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../command.js';
import { recordedPlan, requireRun, type Run } from './recorded-run.js';
import { readStanding, type Standing } from './standing.js';
import { isServerTrouble, serverTrouble, type Temporal } from './temporal.js';

/** Often enough to look live, and two calls that cost the server and the worker about a millisecond each. */
const pollInterval = 300;

/** One try to get an answer out of a worker. Two of them fit into the patience below. */
const answerTimeout = 3_000;

/** Nobody answers: said after this, so that together with the program's start it is said within 10 s (design 4.3). */
const patience = 6_500;

/** A plan under way is not left at once: a worker that was killed or deployed anew is back within minutes. */
const longPatience = 5 * 60_000;

/** Nobody answers any more in the midst of a plan: what it comes to is not known here. */
export class LostSight extends Error {
  override readonly name = 'LostSight';
}

export interface Watcher {
  show(standing: Standing): void;
  /** Something to be told once, beside the standing. */
  note(text: string): void;
}

/**
 * Looks at a plan until its standing satisfies `until`, and returns that. It never waits for a run's own result: a run
 * that is reset would reject it, whereas the next look is at the new run by itself.
 * Throws `UsageError` if nobody answers from the start, `LostSight` if nobody answers any more.
 */
export async function follow(
  temporal: Temporal,
  workflowId: string,
  until: (standing: Standing) => boolean,
  watcher?: Watcher,
): Promise<Standing> {
  let run: Run | undefined;
  let plan: Standing['plan'];
  let answered = false;
  let told = false;
  let lastSign = Date.now();
  for (;;) {
    let silent = `The Temporal server at ${temporal.address} does not answer`;
    try {
      const latest = await requireRun(temporal, workflowId);
      if (latest.runId !== run?.runId) plan = await recordedPlan(temporal, latest);
      // A history that grows is a sign of life too: a worker is at work, only too busy to answer.
      if (latest.runId !== run?.runId || latest.historyLength !== run.historyLength) lastSign = Date.now();
      run = latest;
      silent = `No worker answers on task queue "${run.taskQueue}"`;
      const standing = { ...(await readStanding(temporal, run, answerTimeout)), ...(plan ? { plan } : {}) };
      lastSign = Date.now();
      if (told) watcher?.note('There is an answer again.');
      [answered, told] = [true, false];
      watcher?.show(standing);
      if (until(standing)) return standing;
    } catch (error) {
      if (!isServerTrouble(error)) throw error;
      const silence = Date.now() - lastSign;
      if (silence > patience) {
        const trouble = `${silent} (${serverTrouble(error)})`;
        if (!answered) throw new UsageError(`${trouble}; the plan goes on, or begins, when one comes`);
        if (silence > longPatience) throw new LostSight(`${trouble}; the plan goes on when that changes`);
        if (!told) watcher?.note(`${trouble}. The plan goes on when that changes.`);
        told = true;
      }
    }
    await sleep(pollInterval);
  }
}
