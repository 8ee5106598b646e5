import { WorkflowNotFoundError } from '@temporalio/client';
import { recordedResult } from '../activities/recorded-result.js';
import { UsageError } from '../command.js';
import { commonConfig, readEnvironment } from '../config.js';
import type { ActionRecord, Settlement } from '../ledger/action-record.js';
import { type Output, print } from './output.js';
import { checkWorkflowId } from './plan-input.js';
import { withLedger } from './plan-records.js';
import { type ClientContext, withTemporal } from './temporal.js';
import { oneLine } from './text.js';

export interface ResolveOptions {
  /** The provider's id of the effect that was found. */
  happened?: string;
  didNotHappen?: true;
}

/** Provider ids are short; anything else was pasted by mistake. */
const referenceForm = /^[\w-]{1,255}$/;

/** `resolve ID STEP`: a person settles what nobody could tell. Starting the same plan again goes on from there. */
export async function resolve(id: string, step: string, options: ResolveOptions, output: Output): Promise<number> {
  const { happened, didNotHappen } = options;
  if ((happened === undefined) === (didNotHappen === undefined)) {
    throw new UsageError('resolve needs either --happened REF or --did-not-happen');
  }
  if (happened !== undefined && !referenceForm.test(happened)) {
    throw new UsageError("--happened must be the provider's id of the effect, e.g. pi_…");
  }
  const config = commonConfig(readEnvironment());
  const { ledgerUrl, temporal } = config;
  const plan = { namespace: temporal.namespace, workflowId: checkWorkflowId(id) };
  await withTemporal(config, (connected) => refuseRunning(connected, id));
  const settled = await withLedger(ledgerUrl, async (ledger) => {
    const records = await ledger.receipts(plan);
    const record = chosen(records, step);
    if (!(await ledger.resolve(record.key, settlement(record, happened, records)))) {
      throw new UsageError(`Step ${step} has no unknown outcome: it is ${record.state}`);
    }
    return record;
  });
  const state = happened === undefined ? 'failed' : 'succeeded';
  print(output, { ...plan, step: settled.step_index, purpose: settled.purpose, key: settled.key, state }, () => [
    `Step ${settled.step_index} is settled as ${state}. Starting the same plan again goes on from there.`,
  ]);
  return 0;
}

/** A running plan may still ask by itself, and would overtake the person. One that the server forgot runs no more. */
async function refuseRunning({ client, call }: ClientContext, id: string): Promise<void> {
  try {
    const { status } = await call(() => client.workflow.getHandle(id).describe());
    if (status.name === 'RUNNING')
      throw new UsageError(`The plan "${oneLine(id)}" still runs: cancel it, or let it end`);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** The step's own operation, or its undo where that is what is unknown. */
function chosen(records: readonly ActionRecord[], step: string): ActionRecord {
  const ofStep = records.filter(({ step_index }) => String(step_index) === step);
  const record = ofStep.find(({ state }) => state === 'unknown' || state === 'pending') ?? ofStep[0];
  if (!record) throw new UsageError(`The ledger has no record of step ${oneLine(step)}`);
  return record;
}

function settlement(record: ActionRecord, happened: string | undefined, records: readonly ActionRecord[]): Settlement {
  if (happened === undefined) {
    const error = { type: 'resolved', message: 'A person found that it did not happen' };
    return { state: 'failed', error: JSON.stringify(error), replayed: false };
  }
  const result = JSON.stringify(recordedResult(record, happened, records));
  return { state: 'succeeded', result, reference: happened, replayed: false };
}
