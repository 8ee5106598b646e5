import {
  ActivityFailure,
  type ApplicationFailure,
  ensureApplicationFailure,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import type { Report } from '../../src/plan/report.js';
import { activitySettings } from '../../src/plan/policy.js';
import { finalFailure } from '../../src/plan/step-failure.js';
import { agentPlan } from '../../src/workflows/agent-plan.js';
import { attemptOf } from './activities.js';
import { digest } from './digest.js';
import { type LedgerMethods, MemoryLedger, MemoryTables } from './memory-ledger.js';
import { Provider } from './provider.js';
import type { Activity, Attempt, Request } from './parts.js';
import type { Sabotage } from './sabotage.js';
import type { Scenario } from './scenario.js';
import { Task } from './task.js';
import { setHost, type WorkflowHost } from './workflow-api.js';

const plan = { namespace: 'default', workflowId: 'order-1042' };
const planFingerprint = 'as written';

const begin = 1_800_000_000_000;
const policy = { approveAbove: {}, approvalTimeout: 1, activity: activitySettings({}) };
const finalTypes: readonly string[] = Object.values(finalFailure);

/** One course of events: workflow, attempts, requests on their way, ledger, provider and clock. */
export class World {
  clock = begin;
  /** How often Temporal tries a step. */
  patience: number;
  /** Counts what Temporal schedules: its own clock. */
  private scheduled = 0;
  readonly tables = new MemoryTables();
  readonly ledger: LedgerMethods;
  readonly provider: Provider;
  attempts: Attempt[] = [];
  requests: Request[] = [];
  /** The workflow's code, and what it waits for. */
  private workflow = new Task('workflow');
  private called: Activity | undefined;
  runs = 0;
  /** What was reported last, and still has to be true. */
  report: Report | undefined;
  /** Something happened that can leave a step's outcome open. */
  mayBeUnknown = false;
  ledgerLost = false;
  /** The lost ledger knew that something did not happen, and no attempt can know it any more. */
  denialLost = false;
  private openedWithoutRecords = false;
  private acting: Attempt | undefined;
  private handlers: WorkflowHost['handlers'] = new Map();

  constructor(
    readonly scenario: Scenario,
    private readonly sabotage: Sabotage = {},
  ) {
    this.patience = scenario.attempts;
    const now = (): number => this.now(this.acting);
    const ledger = new MemoryLedger(this.tables, now);
    this.ledger = Object.assign(Object.create(ledger) as LedgerMethods, sabotage.ledger?.(ledger, now));
    this.provider = new Provider(() => this.clock, sabotage.ignoresKeys === true);
  }

  /** What is not promised: the ledger was lost, and the run that goes on without it is not the first one. */
  get isBeyondPromise(): boolean {
    return this.openedWithoutRecords || (this.ledgerLost && this.runs > 1);
  }

  get running(): boolean {
    return this.called !== undefined;
  }

  now(attempt: Attempt | undefined): number {
    return this.clock + (attempt?.ahead ?? 0);
  }

  /** Starts the plan, once more if it has ended. */
  async start(): Promise<void> {
    this.runs++;
    const info = { ...plan, runId: String(this.runs), startTime: new Date(this.clock), memo: { planFingerprint } };
    this.handlers = new Map();
    this.workflow = new Task(`run ${this.runs}`);
    setHost({ info, handlers: this.handlers, call: (name, input) => this.call(name, input) });
    await this.workflow.start(() => agentPlan({ plan: this.scenario.plan, policy: {} }));
    await this.afterWorkflow();
  }

  /** Performs what an attempt waits for, and lets it go on. */
  async step(attempt: Attempt): Promise<void> {
    await this.hear(attempt, await this.perform(attempt));
  }

  async perform(attempt: Attempt): Promise<Awaited<ReturnType<Task['perform']>>> {
    this.acting = attempt;
    if (this.ledgerLost && attempt.activity.name === 'openPlan') this.openedWithoutRecords = true;
    const result = await attempt.task.perform();
    this.acting = undefined;
    return result;
  }

  async hear(attempt: Attempt, result: { value: unknown } | { error: unknown }): Promise<void> {
    attempt.task.heard.push(this.now(attempt) - begin);
    await attempt.task.resume(result);
    if (attempt.task.outcome) await this.ended(attempt, attempt.task.outcome);
  }

  /** Temporal waits for this attempt no more; the attempt does not know. */
  async abandon(attempt: Attempt): Promise<void> {
    const timeout = new TimeoutFailure('activity StartToClose timeout', undefined, TimeoutType.START_TO_CLOSE);
    await this.failed(attempt.activity, timeout, true);
  }

  /** It was another worker that took the attempt, one whose clock is ahead. */
  async replace(attempt: Attempt, ahead: number): Promise<void> {
    this.remove(attempt);
    await this.schedule(attempt.activity, ahead);
  }

  loseLedger(): void {
    this.ledgerLost = true;
    const isFenced = [...this.tables.plans.values()].some(({ fenced_until }) => fenced_until > 0);
    this.denialLost = isFenced || [...this.tables.actions.values()].some(({ state }) => state === 'failed');
    this.tables.lose();
  }

  remove(attempt: Attempt): void {
    this.attempts = this.attempts.filter((other) => other !== attempt);
    for (const request of this.requests) if (request.by === attempt) request.by = undefined;
  }

  /** Stands for all that may matter from now on. */
  fingerprint(): string {
    const number = (attempt: Attempt | undefined): number => (attempt ? this.attempts.indexOf(attempt) : -1);
    return digest(
      JSON.stringify([
        ...[this.clock - begin, this.runs, this.workflow.heard, this.mayBeUnknown],
        ...[this.called?.name, this.called?.attempts, number(this.called?.current), this.openedWithoutRecords],
        ...[this.ledgerLost, this.denialLost],
        ...[[...this.tables.plans.values()], [...this.tables.actions.values()], [...this.provider.keys.entries()]],
        this.report?.steps.map(({ status, undo }) => [status, undo?.status]),
        this.provider.effects,
        this.requests.map(({ by, ...request }) => [number(by), request]),
        this.attempts.map(({ task, ahead }) => [task.name, task.heard, task.waitsFor?.label, task.paused, ahead]),
      ]),
    );
  }

  private call(name: string, input: unknown): Promise<unknown> {
    this.called = { name, input, attempts: 0, current: undefined };
    return this.workflow.stop(name);
  }

  /** The workflow stopped: it waits for an activity, which is scheduled, or has ended. */
  private async afterWorkflow(): Promise<void> {
    if (this.called?.attempts === 0) return this.schedule(this.called);
    const report = this.handlers.get('report')?.() as Report;
    // A run that was refused says nothing new about its steps.
    if (report.steps.some(({ status }) => status !== 'skipped'))
      this.report = { ...report, steps: report.steps.map((step) => ({ ...step })) };
  }

  private async schedule(activity: Activity, ahead = 0): Promise<void> {
    const { name, input } = activity;
    const scheduledAt = ahead === 0 ? ++this.scheduled : this.scheduled;
    if (ahead === 0) activity.attempts++;
    const task = new Task(`${name} ${scheduledAt}`);
    const attempt: Attempt = { task, activity, ahead };
    activity.current = attempt;
    this.attempts.push(attempt);
    const code = attemptOf(name, input, {
      ...{ task, policy, scheduledAt, attempt: activity.attempts },
      ...{ ledger: this.ledger, provider: this.provider, sabotage: this.sabotage },
      now: () => this.now(attempt),
      send: (sent) => {
        this.requests.push({ ...sent, by: attempt, state: 'travels' });
        return task.stop('ask');
      },
    });
    await task.start(code);
  }

  private async ended(attempt: Attempt, outcome: { value: unknown } | { error: unknown }): Promise<void> {
    this.remove(attempt);
    const { activity } = attempt;
    if (activity.current !== attempt) return;
    if ('value' in outcome) {
      // An open plan goes on from what is recorded, and what was reported before is not the last word any more.
      if (activity.name === 'openPlan') this.report = undefined;
      return this.tell(activity, outcome);
    }
    const failure = ensureApplicationFailure(outcome.error);
    const isFinal = failure.nonRetryable === true || finalTypes.includes(failure.type ?? '');
    await this.failed(activity, failure, !isFinal);
  }

  private async failed(
    activity: Activity,
    cause: ApplicationFailure | TimeoutFailure,
    mayRetry: boolean,
  ): Promise<void> {
    const isStep = activity.name === 'charge' || activity.name === 'email' || activity.name === 'undoCharge';
    if (mayRetry && (!isStep || activity.attempts < this.patience)) return this.schedule(activity);
    await this.tell(activity, {
      error: new ActivityFailure(cause.message, activity.name, '1', 'TIMEOUT', undefined, cause),
    });
  }

  private async tell(activity: Activity, result: { value: unknown } | { error: unknown }): Promise<void> {
    activity.current = undefined;
    this.called = undefined;
    await this.workflow.resume(result);
    await this.afterWorkflow();
  }
}
