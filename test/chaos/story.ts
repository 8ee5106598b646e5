import type { Report } from '../../src/plan/report.js';
import type { Order } from './orders.js';

/** What a client was told when a run had ended. Times are those of the workers' and providers' clocks. */
export interface Sighting {
  runId: string;
  /** Absent where the plan was refused. */
  report?: Report;
  refusal?: string;
  at: number;
  /** When the plan was set going again, so that what was not done then may have been done since. */
  until?: number;
}

/** One plan's way through the chaos. */
export class Story {
  readonly sightings: Sighting[] = [];

  constructor(readonly order: Order) {}

  saw(sighting: Sighting): void {
    this.sightings.push(sighting);
  }

  /** The plan is about to be set going again. */
  goesOn(now: number): void {
    const last = this.sightings.at(-1);
    if (last) last.until ??= now;
  }

  /** Something was tried, so the ledger knows the plan. */
  get hasActed(): boolean {
    return this.sightings.some(({ report }) => report?.steps.some(({ attempts }) => attempts > 0));
  }

  /** The last report, whatever was refused since: what a run did before stays done. */
  get lastReported(): (Sighting & { report: Report }) | undefined {
    return this.sightings.findLast(
      (sighting): sighting is Sighting & { report: Report } => sighting.report !== undefined,
    );
  }
}
