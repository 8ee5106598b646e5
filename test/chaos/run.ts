import { Closing } from './closing.js';
import type { Counts } from './counts.js';
import { faultRules } from './faults.js';
import type { ChaosOptions } from './options.js';
import { writeOrder } from './orders.js';
import { PlanLife } from './plan-life.js';
import { Slots } from './slots.js';
import type { Stage } from './stage.js';
import { Storm } from './storm.js';
import { Story } from './story.js';

/** The dev server is the bottleneck: more plans at once only make each of them slower. */
const livePlans = 30;

/** All plans through the storm, then each to its end. */
export async function runPlans(
  stage: Stage,
  counts: Counts,
  { plans, seed }: ChaosOptions,
  log: (line: string) => void,
): Promise<Story[]> {
  for (const rule of faultRules(seed)) await stage.sandbox.addFault(rule);
  const stories = Array.from({ length: plans }, (_, number) => new Story(writeOrder(seed, number)));
  const storm = new Storm(stage, counts, seed, plans, log);
  let finished = 0;
  const slots = new Slots(livePlans);
  const live = async (story: Story): Promise<void> => {
    const life = new PlanLife(stage, counts, story, seed);
    const { acts } = story.order;
    await slots.hold(() => life.begin());
    finished++;
    if (acts.resume !== 'at the end' && shouldResume(story)) {
      if (acts.resume === 'after a day') await storm.aDay();
      await slots.hold(() => life.resume());
    }
    for (const act of acts.closed) {
      if (act.afterADay) await storm.aDay();
      await slots.hold(() => life.actOnClosed(act));
    }
  };
  const blowing = storm.blow(() => finished);
  try {
    await Promise.race([Promise.all(stories.map(live)), blowing]);
  } finally {
    storm.end();
  }
  await blowing;

  log('the storm is over; every plan goes to its end');
  await stage.sandbox.clearFaults();
  const closing = new Closing(stage, counts, seed);
  await Promise.all(stories.map((story) => slots.hold(() => closing.settle(story))));
  return stories;
}

/** It was cut off, or nobody answered: not refused, not completed, not undone. */
const shouldResume = ({ lastReported }: Story): boolean =>
  ['cancelled', 'failed', 'outcome_unknown'].includes(lastReported?.report.status ?? '');
