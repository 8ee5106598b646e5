import { setTimeout as sleep } from 'node:timers/promises';
import type { Counts } from './counts.js';
import { longestFaultMs } from './faults.js';
import type { Program } from './program.js';
import { Random } from './random.js';
import type { Stage } from './stage.js';

type Blow = 'kill a worker' | 'stop a worker' | 'kill the sandbox' | 'restart Temporal' | 'a day passes';

const weights = { 'kill a worker': 6, 'stop a worker': 1, 'kill the sandbox': 3, 'restart Temporal': 2 };
/** A process that comes up takes seconds of a core: with more blows than these the plans would stand still. */
const plansPerBlow = 8;
const fewestBlows = 5;
/** From so many plans on the clock passes a day twice. */
const plansForTwoDays = 100;
const watchInterval = 100;
/** While it is down, others try in vain. */
const shortestOutage = 100;
const longestOutage = 1_500;

interface Planned {
  blow: Blow;
  /** Falls when so many plans have come to their first end: time would make it another storm on another machine. */
  after: number;
}

/** What happens to the processes, in an order that the seed decides. */
export class Storm {
  private readonly random: Random;
  private readonly planned: readonly Planned[];
  private daysToCome: number;
  private readonly dayWaiters: (() => void)[] = [];
  private over = false;

  constructor(
    private readonly stage: Stage,
    private readonly counts: Counts,
    seed: number,
    plans: number,
    private readonly log: (line: string) => void,
  ) {
    this.random = new Random(seed, 'storm');
    this.planned = this.plan(plans);
    this.daysToCome = this.planned.filter(({ blow }) => blow === 'a day passes').length;
  }

  /** Resolves when the next day has passed; at once if none will. */
  async aDay(): Promise<void> {
    if (this.daysToCome > 0) await new Promise<void>((resolve) => this.dayWaiters.push(resolve));
  }

  end(): void {
    this.over = true;
  }

  /** `finished` tells how many plans have come to their first end. */
  async blow(finished: () => number): Promise<void> {
    for (const { blow, after } of this.planned) {
      while (finished() < after && !this.over) {
        await this.replaceDeserters();
        await sleep(watchInterval);
      }
      if (this.over) return;
      this.log(`${blow} (after ${finished()} plans)`);
      await this.strike(blow);
    }
    for (; !this.over; await sleep(watchInterval)) await this.replaceDeserters();
  }

  private plan(plans: number): Planned[] {
    const count = Math.max(fewestBlows, Math.round(plans / plansPerBlow));
    const blows = Array.from({ length: count }, (_, index): Planned => ({
      blow: this.random.weighted(weights),
      after: Math.floor(((index + 0.5) / count) * plans),
    }));
    const days = plans >= plansForTwoDays ? [0.35, 0.7] : [0.5];
    const passing = days.map((share): Planned => ({ blow: 'a day passes', after: Math.floor(share * plans) }));
    return [...blows, ...passing].sort((one, other) => one.after - other.after);
  }

  private async strike(blow: Blow): Promise<void> {
    const { stage, counts } = this;
    switch (blow) {
      case 'kill a worker': {
        const worker = this.random.pick(stage.workers);
        counts.kills++;
        await worker.kill();
        await this.outage();
        return stage.startWorker(worker);
      }
      case 'stop a worker': {
        const worker = this.random.pick(stage.workers);
        counts.restarts++;
        await worker.stop();
        return stage.startWorker(worker);
      }
      case 'kill the sandbox':
        counts.kills++;
        await stage.sandbox.kill();
        await this.outage();
        return stage.sandbox.start();
      case 'restart Temporal':
        counts.restarts++;
        return stage.restartTemporal();
      case 'a day passes':
        return this.passADay();
    }
  }

  private async passADay(): Promise<void> {
    const { stage, counts } = this;
    counts.days++;
    const stop = (worker: Program): Promise<void> => (this.random.chance(0.5) ? worker.kill() : worker.stop());
    await Promise.all(stage.workers.map(stop));
    // What is on its way arrives: no request takes a day.
    await sleep(longestFaultMs);
    await stage.passADay();
    await Promise.all(stage.workers.map((worker) => stage.startWorker(worker)));
    this.daysToCome--;
    for (const wake of this.dayWaiters.splice(0)) wake();
  }

  private outage = (): Promise<void> => sleep(this.random.between(shortestOutage, longestOutage));

  private async replaceDeserters(): Promise<void> {
    for (const worker of this.stage.workers.filter((one) => one.hasEnded())) {
      this.counts.deserters++;
      await this.stage.startWorker(worker);
    }
  }
}
