import { isSettled } from '../../src/ledger/action-record.js';
import { events } from './events.js';
import { broken } from './invariants.js';
import type { World } from './world.js';

const hour = 3_600_000;
/** What a provider is trusted to remember. */
const memory = 23 * hour;

/**
 * Nothing more goes wrong. Then every run ends; and when the plan is started again, what surely did not happen is done,
 * and what was unknown is known, unless asking can never tell: at-most-once does not decay into silently-never.
 */
export async function atTheEnd(world: World): Promise<string | undefined> {
  if (world.running) return 'the plan never ends';
  const [plan] = world.tables.plans.values();
  const [step] = world.report?.steps ?? [];
  const record = world.tables.actions.get(step?.key ?? '');
  // An undone plan is not started again, and without its records nothing is promised of another run.
  if (!step || plan?.state === 'closed' || world.ledgerLost) return undefined;
  world.clock += 2 * hour;
  const mayStayUnknown = step.tool === 'email' && record !== undefined && world.clock - record.first_asked_at > memory;
  world.patience = 5;
  await world.start();
  for (;;) {
    const [next] = events(world);
    if (!next || next.fault) break;
    await next.happen();
    const what = broken(world);
    if (what !== undefined) return `${what}, when it was started again`;
  }
  const after = world.report?.steps[0]?.status;
  if (after === 'succeeded' || (record && isSettled(record) && after === step.status)) return undefined;
  if (after === 'failed' && step.status !== 'failed') return undefined;
  const isStuck = world.provider.keys.get(step.key ?? '')?.answer?.kind === 'ambiguous';
  if (after === 'outcome_unknown' && (mayStayUnknown || isStuck)) return undefined;
  return `it was ${step.status}, and is ${after ?? 'nothing'} when it is started again and nothing goes wrong`;
}
