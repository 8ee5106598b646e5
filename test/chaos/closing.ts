import type { Counts } from './counts.js';
import { PlanLife } from './plan-life.js';
import { stepTimeLimit } from './policy.js';
import type { Stage } from './stage.js';
import type { Story } from './story.js';

/** With everything up and no faults one more run brings a plan to its end, unless its outcome stays unknown. */
const mostRounds = 3;

/** Longer than a step is tried: nothing is cut off any more. */
const patienceMs = 2 * stepTimeLimit;

/** The last act: no more faults, everything is up; every plan that should go on is started again until it has ended. */
export class Closing {
  constructor(
    private readonly stage: Stage,
    private readonly counts: Counts,
    private readonly seed: number,
  ) {}

  async settle(story: Story): Promise<void> {
    const life = new PlanLife(this.stage, this.counts, story, this.seed);
    await life.attend([], patienceMs);
    for (let round = 0; round < mostRounds && this.shouldGoOn(story); round++) {
      const before = story.lastReported?.report.status;
      await life.resume(patienceMs);
      // What one undisturbed run could not tell, the next one cannot either: a failure is stored under the key.
      if (before === 'outcome_unknown' && story.lastReported?.report.status === before) return;
    }
  }

  private shouldGoOn(story: Story): boolean {
    const { order, lastReported, sightings } = story;
    // Refused as a whole, as it should be.
    if (order.isRefused) return sightings.length === 0;
    if (!lastReported) return true;
    const { status, steps } = lastReported.report;
    if (status === 'completed' || status === 'undone') return false;
    // An undo that was cut off goes on with the next run.
    if (order.plan.onFailure === 'undo') return true;
    // It does not help to ask a bank, or a person, that said no.
    const last = steps.find((step) => step.status !== 'succeeded');
    return last?.status !== 'failed' || order.fates[last.index] === 'succeeds';
  }
}
