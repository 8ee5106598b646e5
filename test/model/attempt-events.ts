import { notSeen } from './activities.js';
import { type Event, minute } from './event.js';
import type { Attempt } from './parts.js';
import type { World } from './world.js';

/** What may happen to an attempt. */
export function attemptEvents(world: World, attempt: Attempt): Event[] {
  const { task, activity } = attempt;
  const { waitsFor, paused, name } = task;
  const found: Event[] = [];
  if (paused) found.push({ label: `${name} wakes up`, happen: () => world.hear(attempt, paused) });
  else if (waitsFor?.perform) {
    const { label } = waitsFor;
    found.push({ label: `${name}: ${label}`, happen: () => world.step(attempt) });
    const isLedger = label.startsWith('ledger');
    const fails = (happen: Event['happen'], what: string): Event => ({
      label: `${name}: ${label} ${what}`,
      fault: isLedger ? 'ledger' : 'look',
      happen: () => {
        world.mayBeUnknown = true;
        return happen();
      },
    });
    const lost = { error: new Error('connection lost') };
    if (isLedger) {
      found.push(fails(() => world.hear(attempt, lost), 'fails'));
      found.push(
        fails(async () => {
          await world.perform(attempt);
          await world.hear(attempt, lost);
        }, 'is committed, but its answer is lost'),
      );
    } else found.push(fails(() => world.hear(attempt, { value: notSeen }), 'fails'));
    found.push({
      label: `${name}: ${label}, and the process stands still`,
      fault: 'pause',
      happen: async () => {
        task.paused = await world.perform(attempt);
      },
    });
    if (label === 'ledger.claim' && attempt.ahead === 0 && task.heard.length === 0 && activity.current === attempt) {
      found.push({
        label: `${name}: its worker's clock is ahead`,
        fault: 'clock ahead',
        happen: () => world.replace(attempt, 50 * minute),
      });
    }
  }
  if (activity.current === attempt) {
    found.push({
      label: `${name} times out and goes on`,
      fault: 'abandon',
      happen: () => {
        world.mayBeUnknown = true;
        return world.abandon(attempt);
      },
    });
    found.push({
      label: `${name} crashes`,
      fault: 'crash',
      happen: () => {
        world.mayBeUnknown = true;
        world.remove(attempt);
        return world.abandon(attempt);
      },
    });
  }
  return found;
}
