import { setTimeout as sleep } from 'node:timers/promises';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { closedReport } from '../../src/client/closed-run.js';
import { type Run, workflowType } from '../../src/client/recorded-run.js';
import { UsageError } from '../../src/command.js';
import { fingerprint } from '../../src/plan/fingerprint.js';
import { idempotencyKey } from '../../src/plan/idempotency-key.js';
import type { Plan } from '../../src/plan/plan-schema.js';
import { decideUpdate } from '../../src/workflows/messages.js';
import type { ClosedAct, RunningAct } from './acts.js';
import type { Counts } from './counts.js';
import { Random } from './random.js';
import { anyPoint, latestRun, patiently, reset, unlessClosed } from './server-calls.js';
import type { Stage } from './stage.js';
import type { Story } from './story.js';

/** Thirty plans at once are asked about: often enough, and little work for the server. */
const pollInterval = 500;
/** A plan that takes longer is left alone; it is waited for at the end. */
const lifeLimitMs = 90_000;
/** After a killed worker the server waits so long before it gives a workflow task to another one. */
const workflowTaskTimeout = '3s';

/** Starts, pushes, cuts off and starts again one plan, and notes what its reports say. */
export class PlanLife {
  private readonly random: Random;

  constructor(
    private readonly stage: Stage,
    private readonly counts: Counts,
    private readonly story: Story,
    seed: number,
  ) {
    this.random = new Random(seed, 'life', story.order.workflowId);
  }

  /** The first run, and what is done to it. */
  async begin(): Promise<void> {
    await this.start();
    await this.attend(this.story.order.acts.running);
  }

  /** The plan was cut off: it is started again. */
  async resume(limitMs = lifeLimitMs): Promise<void> {
    this.counts.startedAgain++;
    await this.start();
    await this.attend([], limitMs);
  }

  async actOnClosed({ kind }: ClosedAct): Promise<void> {
    const { counts, stage, story } = this;
    const { plan, workflowId } = story.order;
    switch (kind) {
      case 'duplicate':
        counts.duplicateStarts++;
        await this.start();
        break;
      case 'again':
        counts.startedAgain++;
        // Not by our client, which would print the report of a completed plan: a schedule, or another program.
        await this.start(plan, 'ALLOW_DUPLICATE');
        break;
      case 'impostor':
        // An id that no plan has been opened under is free for any plan.
        if (!story.hasActed) return;
        counts.impostors++;
        await this.start({ ...plan, steps: [...plan.steps, ...plan.steps.slice(0, 1)] }, 'ALLOW_DUPLICATE');
        break;
      case 'reset': {
        const { runId } = await latestRun(stage.temporal, workflowId);
        story.goesOn(stage.now());
        if (await reset(stage.temporal, workflowId, runId, anyPoint(this.random))) counts.resets++;
      }
    }
    await this.attend();
  }

  /** As `src/client/start.ts` does, or by other means. */
  async start(
    plan: Plan = this.story.order.plan,
    reuse: 'ALLOW_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY' = 'ALLOW_DUPLICATE_FAILED_ONLY',
  ): Promise<void> {
    const { stage, story } = this;
    const { workflowId, policy } = story.order;
    const { client, taskQueue, call } = stage.temporal;
    story.goesOn(stage.now());
    try {
      await patiently(() =>
        call(() =>
          client.workflow.start(workflowType, {
            ...{ workflowId, taskQueue, args: [{ plan, policy }], workflowTaskTimeout },
            ...{ workflowIdConflictPolicy: 'USE_EXISTING', workflowIdReusePolicy: reuse },
            memo: { planFingerprint: fingerprint(plan) },
          }),
        ),
      );
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }

  /** Waits for the end, decides what a person has to decide, and acts in between. Notes the report. */
  async attend(acts: readonly RunningAct[] = [], limitMs = lifeLimitMs): Promise<void> {
    const { stage, story } = this;
    const begun = Date.now();
    const left = [...acts];
    let decided = new Set<number>();
    let [runId, runSince] = ['', 0];
    for (;;) {
      const run = await latestRun(stage.temporal, story.order.workflowId);
      // A new run has none of the decisions but those that a reset brought along.
      if (run.runId !== runId) [runId, runSince, decided] = [run.runId, Date.now(), new Set()];
      if (run.status.name !== 'RUNNING') return this.see(run);
      if (Date.now() - begun > limitMs) return;
      await this.decideDue(decided, Date.now() - runSince);
      const [next] = left;
      if (next && Date.now() - begun >= next.delay) {
        left.shift();
        await this.actOnRunning(next, run);
      } else await sleep(pollInterval);
    }
  }

  private async decideDue(decided: Set<number>, age: number): Promise<void> {
    const { workflowId, decisions } = this.story.order;
    const { client, call, namespace } = this.stage.temporal;
    for (const { step, approve, delay } of decisions) {
      if (decided.has(step) || age < delay) continue;
      const key = idempotencyKey({ namespace, workflowId, stepIndex: step, purpose: 'do' });
      const update = {
        updateId: `decide-${step}`,
        args: [{ step, key, approve }] as [{ step: number; key: string; approve: boolean }],
      };
      try {
        await call(() => client.workflow.getHandle(workflowId).executeUpdate(decideUpdate, update));
        decided.add(step);
      } catch (error) {
        // Refused, because an earlier run has begun the step; or the run has ended. Anything else is tried again.
        if (error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError) decided.add(step);
      }
    }
  }

  private async actOnRunning({ kind }: RunningAct, { workflowId, runId }: Run): Promise<void> {
    const { counts, stage } = this;
    const { client, call } = stage.temporal;
    const handle = client.workflow.getHandle(workflowId, runId);
    switch (kind) {
      case 'duplicate':
        counts.duplicateStarts += 2;
        await Promise.all([this.start(), this.start()]);
        break;
      case 'cancel':
        if (await unlessClosed(() => call(() => handle.cancel()))) counts.cancels++;
        break;
      case 'terminate':
        if (await unlessClosed(() => call(() => handle.terminate('chaos')))) counts.terminations++;
        break;
      case 'reset':
        if (await reset(stage.temporal, workflowId, runId, anyPoint(this.random))) counts.resets++;
    }
  }

  /** What the client says of the run that has ended. */
  private async see(run: Run): Promise<void> {
    const { story, stage } = this;
    if (story.sightings.at(-1)?.runId === run.runId) return;
    const { runId } = run;
    try {
      const report = await patiently(() => closedReport(stage.temporal, run));
      story.saw({ runId, report, at: stage.now() });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      story.saw({ runId, refusal: error.message, at: stage.now() });
    }
  }
}
