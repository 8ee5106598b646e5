import { ambiguousAsks, type ActionRecord } from '../../src/ledger/action-record.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import type { Counts } from './counts.js';
import { PlanLife } from './plan-life.js';
import { lastPoint, reset } from './server-calls.js';
import type { Stage } from './stage.js';
import type { Story } from './story.js';

/** With everything up and no faults one more run brings a plan to its end, unless its outcome stays unknown. */
const mostRounds = 3;

/** The last act: no more faults, everything is up; every plan that should go on is started again until it has ended. */
export class Closing {
  constructor(
    private readonly stage: Stage,
    private readonly counts: Counts,
    private readonly ledger: Ledger,
    private readonly seed: number,
  ) {}

  async settle(story: Story): Promise<void> {
    const life = new PlanLife(this.stage, this.counts, story, this.seed);
    await life.attend();
    for (let round = 0; round < mostRounds && (await this.shouldGoOn(story)); round++) {
      if (!(await this.finishUndo(story))) await life.resume();
      await life.attend();
    }
  }

  private async shouldGoOn(story: Story): Promise<boolean> {
    const { order, lastReported, sightings } = story;
    // Refused as a whole, as it should be.
    if (order.isRefused) return sightings.length === 0;
    if (!lastReported) return true;
    const { status, steps } = lastReported.report;
    if (status === 'completed' || status === 'undone') return false;
    // An undone plan never acts again; but that it is closed does not mean that its undo came to its end.
    if (order.plan.onFailure === 'undo') return !story.isClosed || this.hasUndoLeft(story);
    // It does not help to ask a bank, or a person, that said no.
    const last = steps.find((step) => step.status !== 'succeeded');
    return last?.status !== 'failed' || order.fates[last.index] === 'succeeds';
  }

  /** An undo that was cut off leaves charges that stand in a plan that is closed. */
  private async hasUndoLeft({ order }: Story): Promise<boolean> {
    const records = await this.ledger.receipts({ namespace: 'default', workflowId: order.workflowId });
    const hasUndo = (step: number): boolean =>
      records.some(
        ({ purpose, step_index, state }) => purpose === 'undo' && step_index === step && state !== 'pending',
      );
    const mayHaveCharged = ({ tool, purpose, state }: ActionRecord): boolean =>
      tool === 'charge' && purpose === 'do' && state !== 'failed';
    return records.some((record) => mayHaveCharged(record) && ambiguousAsks(record) > 0 && !hasUndo(record.step_index));
  }

  /** Such a plan cannot be started again; the run that undid goes on where it was cut off. */
  private async finishUndo(story: Story): Promise<boolean> {
    const reported = story.lastReported;
    if (!story.isClosed || !reported) return false;
    this.counts.resets++;
    story.goesOn(this.stage.now());
    return reset(this.stage.temporal, story.order.workflowId, reported.runId, lastPoint);
  }
}
