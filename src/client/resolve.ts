import { recordedResult } from '../activities/recorded-result.js';
import { UsageError } from '../command.js';
import { commonConfig, readEnvironment } from '../config.js';
import { type ActionRecord, isSettled, type Settlement } from '../ledger/action-record.js';
import { fingerprint } from '../plan/fingerprint.js';
import type { KeyPurpose } from '../plan/idempotency-key.js';
import type { Step } from '../plan/plan-schema.js';
import { type Output, print } from './output.js';
import { checkWorkflowId } from './plan-input.js';
import { withLedger } from './plan-records.js';
import { findRun, isOpen, recordedPlan } from './recorded-run.js';
import { type ClientContext, withTemporal } from './temporal.js';
import { oneLine } from './text.js';

export interface ResolveOptions {
  /** The provider's id of the effect that was found. */
  happened?: string;
  didNotHappen?: true;
}

/** Provider ids are short; anything else was pasted by mistake. */
const anyReference = { form: /^[\w-]{1,255}$/, name: "the provider's id of the effect" };

/** Not `\w`: the client secret of a payment begins with its id, and must not be recorded. */
const references: Partial<Record<string, typeof anyReference>> = {
  charge: { form: /^pi_[A-Za-z0-9]{1,250}$/, name: 'the id of the PaymentIntent, pi_…' },
  refund: { form: /^re_[A-Za-z0-9]{1,250}$/, name: 'the id of the refund, re_…' },
};

/** `resolve ID STEP`: a person settles what nobody could tell. Starting the same plan again goes on from there. */
export async function resolve(id: string, step: string, options: ResolveOptions, output: Output): Promise<number> {
  const { happened, didNotHappen } = options;
  if ((happened === undefined) === (didNotHappen === undefined)) {
    throw new UsageError('resolve needs either --happened REF or --did-not-happen');
  }
  const config = commonConfig(readEnvironment());
  const plan = { namespace: config.temporal.namespace, workflowId: checkWorkflowId(id) };
  const wanted = await withTemporal(config, (context) => findStep(context, id, step));
  const settled = await withLedger(config.ledgerUrl, async (ledger) => {
    const records = await ledger.receipts(plan);
    const record = chosen(records, wanted.index, happened);
    checkSame(record, wanted.step);
    checkReference(record, happened);
    if (!(await ledger.resolve(record.key, settlement(record, happened, records)))) {
      const { state, reference } = (await ledger.find(record.key)) ?? record;
      // The same verdict once more changes nothing.
      if (!agrees({ state, reference }, happened)) {
        throw new UsageError(`${nameOf(record)} has no unknown outcome: it is ${state}`);
      }
    }
    return { ...record, isUndone: records.some(({ purpose }) => purpose === 'undo') };
  });
  const state = happened === undefined ? 'failed' : 'succeeded';
  print(output, { ...plan, step: settled.step_index, purpose: settled.purpose, key: settled.key, state }, () => [
    `${nameOf(settled)} is settled as ${state}. ${whatNext(settled, happened)}`,
  ]);
  return 0;
}

/** The step of a plan that has ended. A running one may still ask by itself, and would overtake the person. */
async function findStep(context: ClientContext, id: string, name: string): Promise<{ index: number; step?: Step }> {
  const run = await findRun(context, id);
  if (run && isOpen(run)) throw new UsageError(`The plan "${oneLine(id)}" still runs: cancel it, or let it end`);
  if (/^\d+$/.test(name)) return { index: Number(name) };
  const plan = run && (await recordedPlan(context, run));
  // The ledger remembers longer than the server, but has no ids.
  if (!plan) throw new UsageError(`The server no longer knows the plan "${oneLine(id)}": give the step's index`);
  const index = plan.steps.findIndex((step) => step.id === name);
  const step = plan.steps[index];
  if (!step) throw new UsageError(`The plan "${oneLine(id)}" has no step "${oneLine(name)}"`);
  return { index, step };
}

/** The step's own operation, or its undo where that is what is unknown, or was until the same verdict. */
function chosen(records: readonly ActionRecord[], index: number, happened: string | undefined): ActionRecord {
  const ofStep = records.filter(({ step_index }) => step_index === index);
  const record =
    ofStep.find((other) => happened !== undefined && isSettled(other) && agrees(other, happened)) ??
    ofStep.find((other) => !isSettled(other)) ??
    ofStep.find((other) => agrees(other, happened)) ??
    ofStep[0];
  if (!record) throw new UsageError(`The ledger has no record of step ${index}`);
  return record;
}

const agrees = ({ state, reference }: Pick<ActionRecord, 'state' | 'reference'>, happened: string | undefined) =>
  happened === undefined ? state === 'failed' : state === 'succeeded' && reference === happened;

/** Another program may have tried another plan under this id, and been refused: then the step was looked up in that one. */
function checkSame({ step_fingerprint, workflow_id }: ActionRecord, step: Step | undefined): void {
  if (step === undefined || fingerprint(step) === step_fingerprint) return;
  throw new UsageError(
    `The last run of "${oneLine(workflow_id)}" had another plan than the ledger knows: give the step's index`,
  );
}

function checkReference(record: ActionRecord, happened: string | undefined): void {
  if (happened === undefined) return;
  const kind = record.purpose === 'undo' ? 'refund' : record.tool;
  const { form, name } = references[kind] ?? anyReference;
  if (!form.test(happened)) throw new UsageError(`${nameOf(record)} (${kind}): --happened must be ${name}`);
}

function whatNext(
  { purpose, isUndone }: { purpose: KeyPurpose; isUndone: boolean },
  happened: string | undefined,
): string {
  if (!isUndone) return 'Starting the same plan again goes on from there.';
  // The provider would answer the same key as before, so it is not asked again.
  if (purpose === 'undo' && happened === undefined) return 'It is not tried again: give the rest back at the provider.';
  return 'The plan is undone: starting it again only gives back what is left.';
}

const nameOf = ({ purpose, step_index }: ActionRecord): string =>
  purpose === 'undo' ? `The undo of step ${step_index}` : `Step ${step_index}`;

function settlement(record: ActionRecord, happened: string | undefined, records: readonly ActionRecord[]): Settlement {
  if (happened === undefined) {
    const error = { type: 'resolved', message: 'A person found that it did not happen' };
    return { state: 'failed', error: JSON.stringify(error), replayed: false };
  }
  const result = JSON.stringify(recordedResult(record, happened, records));
  return { state: 'succeeded', result, reference: happened, replayed: false };
}
