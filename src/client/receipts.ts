import { UsageError } from '../command.js';
import { commonConfig, readEnvironment } from '../config.js';
import type { ActionRecord } from '../ledger/action-record.js';
import { formatAmount } from '../plan/money.js';
import { type Output, print } from './output.js';
import { checkWorkflowId } from './plan-input.js';
import { withLedger } from './plan-records.js';
import { columns, oneLine } from './text.js';

/** `receipts ID`: what the ledger recorded of a plan. Asks no server. */
export async function receipts(id: string, output: Output): Promise<number> {
  const { ledgerUrl, temporal } = commonConfig(readEnvironment());
  const plan = { namespace: temporal.namespace, workflowId: checkWorkflowId(id) };
  const records = await withLedger(ledgerUrl, async (ledger) => {
    const found = await ledger.receipts(plan);
    return found.length > 0 || (await ledger.knows(plan)) ? found : undefined;
  });
  if (!records) {
    throw new UsageError(
      `The ledger has no plan with the workflow id "${oneLine(id)}" in namespace "${plan.namespace}"`,
    );
  }
  print(output, { ...plan, receipts: records.map(toReceipt) }, () => receiptTable(records));
  return 0;
}

function toReceipt(record: ActionRecord) {
  const { step_index, tool, purpose, key, state, asks, replays, reference } = record;
  return {
    step: step_index,
    tool,
    purpose,
    key,
    state,
    // How often the provider was, or may have been, asked; under both of its names.
    attempts: asks,
    asks,
    replays,
    reference,
    request: parsed(record.request),
    result: parsed(record.result),
    error: parsed(record.error),
    firstAskedAt: time(record.first_asked_at),
    lastAskedAt: time(record.last_asked_at),
    settledAt: time(record.settled_at),
  };
}

function receiptTable(records: readonly ActionRecord[]): string[] {
  const titles = ['step', 'what', 'state', 'asks', 'replays', 'reference', 'last asked', 'key'];
  const rows = records.map((record) => [
    `${record.step_index}${record.purpose === 'undo' ? ' undo' : ''}`,
    oneLine(what(record)),
    record.state,
    String(record.asks),
    String(record.replays),
    record.reference ?? '–',
    time(record.last_asked_at) ?? '–',
    record.key,
  ]);
  return columns([titles, ...rows]);
}

/** What was asked for, in the words of the request that was sent. */
function what({ tool, purpose, request }: ActionRecord): string {
  const sent = parsed(request) as Record<string, unknown>;
  // Stripe's parameters are recorded beside the API version they were sent with, an e-mail as it is.
  const { amount, currency, to, payment_intent: of } = (sent['params'] ?? sent) as Record<string, unknown>;
  if (purpose === 'undo') return `give back ${String(of)}`;
  if (typeof to === 'string') return `${tool} to ${to}`;
  if (typeof amount === 'number' && typeof currency === 'string') return `${tool} ${formatAmount(amount, currency)}`;
  const part = typeof amount === 'number' ? `${tool} ${amount}` : tool;
  return typeof of === 'string' ? `${part} of ${of}` : part;
}

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
