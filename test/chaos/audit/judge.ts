import type { ActionRecord } from '../../../src/ledger/action-record.js';
import { idempotencyKey, type KeyPurpose } from '../../../src/plan/idempotency-key.js';
import type { StepReport } from '../../../src/plan/report.js';
import type { Sighting, Story } from '../story.js';
import { explain } from './explain.js';
import type { Finding, FindingKind, Unknown } from './finding.js';
import type { Effect, PlanTruth, Truth } from './truth.js';

/** Compares what was said about one plan, by its reports and by the ledger, with what happened. */
export class Judge {
  readonly findings: Finding[] = [];
  readonly unknowns: Unknown[] = [];
  private readonly happened: PlanTruth;

  constructor(
    private readonly story: Story,
    private readonly truth: Truth,
    private readonly records: readonly ActionRecord[],
  ) {
    this.happened = truth.of(story.order, records);
    this.judgeEffects();
    this.judgeRecords();
    for (const sighting of story.sightings) this.judgeSighting(sighting);
    this.judgeEnd();
  }

  private find(kind: FindingKind, step: number, detail: string): void {
    this.findings.push({ kind, workflowId: this.story.order.workflowId, step, detail });
  }

  /** Nothing twice, and nothing that no step stands for. */
  private judgeEffects(): void {
    const twice = (effects: readonly Effect[], step: number, what: string): void => {
      const [first, ...more] = effects;
      if (!first) return;
      for (const { id, at } of more) {
        const hours = ((at - first.at) / 3_600_000).toFixed(1);
        this.find('duplicate', step, `${what} ${first.id} again ${hours} h later: ${id}`);
      }
    };
    this.happened.steps.forEach((effects, step) => twice(effects, step, 'effect'));
    this.happened.undos.forEach((effects, step) => twice(effects, step, 'undo'));
    for (const { step, id } of this.happened.strays) this.find('duplicate', step, `${id} under no key of the plan`);
  }

  /** The ledger, as it is at the end. */
  private judgeRecords(): void {
    for (const { key, step_index: step, purpose, state, reference } of this.records) {
      const effects = (purpose === 'do' ? this.happened.steps : this.happened.undos)[step] ?? [];
      // An undo that found everything given back before names the charge itself.
      const nothingLeft = purpose === 'undo' && this.happened.steps[step]?.some(({ id }) => id === reference);
      if (state === 'succeeded' && !nothingLeft && !effects.some(({ id }) => id === reference)) {
        this.find('claimedButAbsent', step, `record ${key} says ${reference}, which does not exist`);
      }
      if (state === 'failed' && effects.length > 0) {
        this.find('deniedButHappened', step, `record ${key} says failed, but there is ${effects[0]?.id}`);
      }
    }
  }

  /** What was reported when a run had ended was true then, and stayed true until the plan was set going again. */
  private judgeSighting({ report, at, until = Infinity, runId }: Sighting): void {
    for (const step of report?.steps ?? []) {
      const { index, tool, status } = step;
      if (tool === 'lookup_charge') continue;
      const effects = this.happened.steps[index] ?? [];
      const said = `run ${runId} reported ${status}`;
      if (status === 'succeeded' || status === 'undone')
        this.judgeClaim(
          step,
          effects.filter((made) => made.at <= at),
          said,
        );
      const denied = effects.find((made) => made.at < until);
      if ((status === 'failed' || status === 'skipped') && denied) {
        this.find('deniedButHappened', index, `${said}, but there is ${denied.id}`);
      }
      if (status === 'undone') this.judgeUndone(index, at, said);
      if (!ends.has(status)) this.find('lost', index, `${said} at its end`);
    }
  }

  private judgeClaim({ index, result }: StepReport, effects: readonly Effect[], said: string): void {
    const right = effects.some(({ id }) => result === undefined || id === result.id);
    if (!right) this.find('claimedButAbsent', index, `${said} (${result?.id ?? 'no result'}), which does not exist`);
  }

  private judgeUndone(step: number, at: number, said: string): void {
    const { plan } = this.story.order;
    const refundSteps = [...plan.steps.entries()].filter(
      ([, { tool, args }]) => tool === 'refund' && 'charge' in args && args.charge === step,
    );
    const given = [
      ...refundSteps.map(([index]) => this.happened.steps[index] ?? []),
      this.happened.undos[step] ?? [],
    ].flat();
    const taken = sum(this.happened.steps[step] ?? []);
    const back = sum(given.filter((refund) => refund.at <= at));
    if (taken !== back) this.find('claimedButAbsent', step, `${said}, but ${back} of ${taken} was given back`);
  }

  /** The last report, against what should have become of the plan. */
  private judgeEnd(): void {
    const { order, lastReported } = this.story;
    if (order.isRefused) {
      const done = this.happened.steps.findIndex((effects) => effects.length > 0);
      if (done >= 0) this.find('unwanted', done, 'the policy refuses the plan, and yet it acted');
      return;
    }
    if (!lastReported) return this.find('lost', 0, 'the plan has no report');
    const { report } = lastReported;
    const isUndone = order.plan.onFailure === 'undo' && report.status !== 'completed';
    let reached = true;
    for (const step of report.steps) {
      const fate = order.fates[step.index];
      const effects = this.happened.steps[step.index] ?? [];
      if (effects.length > 0 && fate !== 'succeeds') this.find('unwanted', step.index, `done, though it is ${fate}`);
      this.judgeUnknown(step);
      // A plan that undoes itself may do so for a person's cancellation, and then does none of the rest.
      const wanted = reached && fate === 'succeeds' && !isUndone;
      if (wanted && !['succeeded', 'outcome_unknown'].includes(step.status)) {
        this.find('lost', step.index, `${step.status} at the end: ${step.error?.message ?? 'no error'}`);
      }
      if (isUndone && step.tool === 'charge' && step.status === 'succeeded' && !step.undo) {
        this.find('lost', step.index, 'the plan was to be undone, but this charge stands');
      }
      reached &&= step.status === 'succeeded';
    }
  }

  private judgeUnknown({ index, status, error, undo }: StepReport): void {
    if (status === 'outcome_unknown') this.tellUnknown(index, 'do', error?.message);
    if (undo?.status === 'outcome_unknown') this.tellUnknown(index, 'undo', undo.error?.message);
  }

  private tellUnknown(step: number, purpose: KeyPurpose, message = ''): void {
    const { workflowId, fates, plan } = this.story.order;
    const key = idempotencyKey({ namespace: 'default', workflowId, stepIndex: step, purpose });
    const reason = explain(
      this.records.find((record) => record.key === key),
      this.truth,
      fates[step],
      plan.onFailure === 'undo',
    );
    this.unknowns.push({ workflowId, step, reason: reason ?? message });
    if (!reason) this.find('unexplained', step, message);
  }
}

const ends: ReadonlySet<StepReport['status']> = new Set([
  'succeeded',
  'failed',
  'outcome_unknown',
  'undone',
  'skipped',
]);

const sum = (effects: readonly Effect[]): number => effects.reduce((total, { amount }) => total + amount, 0);
