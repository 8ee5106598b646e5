import { claimDuration } from '../../src/activities/look.js';
import { isSettled } from '../../src/ledger/action-record.js';
import { attemptEvents } from './attempt-events.js';
import { type Event, minute } from './event.js';
import { requestEvents } from './request-events.js';
import type { World } from './world.js';

const day = 25 * 60 * minute;

/** Everything that may happen next, what needs no fault first. */
export function events(world: World): Event[] {
  const all = [
    ...world.attempts.flatMap((attempt) => attemptEvents(world, attempt)),
    ...world.requests.flatMap((request) => requestEvents(world, request)),
    ...worldEvents(world),
  ];
  const { faults } = world.scenario;
  const possible = all.filter(({ fault }) => fault === undefined || faults.includes(fault));
  return [...possible.filter(({ fault }) => !fault), ...possible.filter(({ fault }) => fault)];
}

function worldEvents(world: World): Event[] {
  const found: Event[] = [];
  for (const effect of world.provider.effects.filter(({ status }) => status === 'processing')) {
    found.push({ label: `${effect.id} succeeds`, happen: () => world.provider.clear(effect, 'succeeded') });
    found.push({
      label: `${effect.id} is declined after all`,
      fault: 'declined',
      happen: () => world.provider.clear(effect, 'declined'),
    });
  }
  // A request is on its way for minutes at most, and an activity ends within 20 h: a day passes between two of them.
  const isBetween = world.attempts.every(
    ({ task, activity }) =>
      activity.current?.task !== task || (task.heard.length === 0 && !task.paused && activity.attempts === 1),
  );
  if (isBetween && world.requests.every(({ state }) => state === 'answered')) {
    found.push({
      label: 'a day passes',
      fault: 'a day passes',
      happen: () => {
        world.clock += day;
      },
    });
  }
  const isWaitedFor = [...world.tables.actions.values()].some(({ lease_until }) => lease_until !== null);
  if (isWaitedFor || world.attempts.some(({ task }) => task.paused)) {
    found.push({
      label: 'two minutes pass',
      fault: 'minutes pass',
      happen: () => {
        world.clock += 2 * claimDuration;
      },
    });
  }
  if (!world.ledgerLost) {
    found.push({
      label: 'the ledger is lost',
      fault: 'ledger lost',
      happen: () => {
        world.mayBeUnknown = true;
        world.loseLedger();
      },
    });
  }
  if (!world.running) found.push(...betweenRuns(world));
  return found;
}

function betweenRuns(world: World): Event[] {
  const found: Event[] = [{ label: 'the plan is started again', fault: 'start again', happen: () => world.start() }];
  const step = world.report?.steps[0];
  const key = step?.undo?.status === 'outcome_unknown' ? step.undo.key : step?.key;
  const record = world.tables.actions.get(key ?? '');
  const isOpen = record && !isSettled(record) && record.asks > record.denials;
  if (key !== undefined && isOpen && world.requests.length === 0 && world.report?.status === 'outcome_unknown') {
    found.push({ label: 'a person settles it', fault: 'resolve', happen: () => resolve(world, key) });
  }
  return found;
}

/** A person waits until no request can be on its way, looks at the provider's list, and says what is there. */
async function resolve(world: World, key: string): Promise<void> {
  world.clock += 15 * minute;
  const effect = world.provider.effects.find(({ name, status }) => name === key && status !== 'declined');
  if (effect?.status === 'processing') return;
  const { id } = effect ?? {};
  await world.ledger.resolve(
    key,
    id === undefined
      ? { state: 'failed', error: '{"type":"resolved","message":"did not happen"}', replayed: false }
      : { state: 'succeeded', result: JSON.stringify({ id }), reference: id, replayed: false },
  );
  const step = world.report?.steps.find((one) => one.key === key || one.undo?.key === key);
  if (!step) return;
  const status = id === undefined ? 'failed' : 'succeeded';
  if (step.key === key) step.status = status;
  else if (step.undo) step.undo.status = status;
}
