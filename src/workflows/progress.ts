import { setCurrentDetails, setHandler, upsertMemo, workflowInfo } from '@temporalio/workflow';
import type { Plan } from '../plan/plan-schema.js';
import { plannedSteps } from '../plan/planned-steps.js';
import type { PlanStatus, Report, StepReport } from '../plan/report.js';
import type { StepResult } from '../plan/results.js';
import { reportQuery } from './messages.js';
import { detailsTable } from './web-ui.js';

/** Temporal's own list says of a plan that it is running or has failed; the memo says which of these it is. */
const notTold: readonly PlanStatus[] = ['running', 'waiting_for_approval', 'undone', 'outcome_unknown'];

type Changes = { [Field in keyof StepReport]?: StepReport[Field] | undefined };

/** How far a plan has come: what the query answers, the Web UI shows and the workflow ends with. */
export class Progress {
  private status: PlanStatus = 'running';
  /** What the memo says. */
  private listed: PlanStatus = 'running';
  readonly steps: readonly StepReport[];

  /** Gives every step with a side effect its key, before the first step runs. */
  constructor(plan: Plan) {
    const { namespace, workflowId } = workflowInfo();
    this.steps = plannedSteps(plan, namespace, workflowId);
    setHandler(reportQuery, () => this.report());
  }

  step(index: number): StepReport {
    const step = this.steps[index];
    if (!step) throw new RangeError(`The plan has no step ${index}`);
    return step;
  }

  /** The idempotency key of a step that writes. */
  key(index: number): string {
    const { key } = this.step(index);
    if (key === undefined) throw new RangeError(`Step ${index} has no key`);
    return key;
  }

  /** What is undefined is taken away. */
  update(index: number, changes: Changes): void {
    Object.assign(this.step(index), changes);
    this.tell();
  }

  /** Ends the plan: what was not begun never will be, in this run. */
  finish(status: PlanStatus): Report {
    this.status = status;
    for (const step of this.steps) {
      if (step.status === 'pending') step.status = 'skipped';
    }
    this.tell();
    return this.report();
  }

  /** The result of an earlier step; the plan's references are known to name one that succeeded. */
  result(index: number): StepResult {
    const { result } = this.step(index);
    if (!result) throw new RangeError(`Step ${index} has no result`);
    return result;
  }

  private tell(): void {
    setCurrentDetails(detailsTable(this.steps));
    const { status } = this.report();
    if (status === this.listed || !notTold.includes(status)) return;
    upsertMemo({ status });
    this.listed = status;
  }

  report(): Report {
    const { workflowId, namespace, runId } = workflowInfo();
    const waits = this.status === 'running' && this.steps.some(({ status }) => status === 'waiting_for_approval');
    const status = waits ? 'waiting_for_approval' : this.status;
    return { workflowId, namespace, runId, status, steps: [...this.steps] };
  }
}
