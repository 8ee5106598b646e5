import { addFault, advanceClock, clearFaults, readChanges, readState, reset } from './calls.js';
import { byId, setText } from './element.js';
import { show } from './show.js';

/** Soon enough to look live. While answers take long (a load test), the page asks less often. */
const pollMs = 500;
const pollFactor = 4;

/** Some things happen by the passing of time alone, such as a pending refund that succeeds: then look all the same. */
const refreshMs = 5_000;

/** Which state is on the screen, and since when. */
let shown = { changes: -1, at: 0 };

async function refresh() {
  const changes = await readChanges();
  if (changes === shown.changes && performance.now() - shown.at < refreshMs) return;
  show(await readState());
  shown = { changes, at: performance.now() };
}

let unreachable = false;

async function poll() {
  const start = performance.now();
  try {
    await refresh();
    if (unreachable) setText('message', 'The sandbox is back.');
    unreachable = false;
  } catch {
    unreachable = true;
    setText('message', 'The sandbox cannot be reached.');
  }
  setTimeout(() => void poll(), pollMs + pollFactor * (performance.now() - start));
}

/**
 * Does something, and says in words what was done, or why not.
 *
 * @param {() => Promise<string>} action
 */
async function act(action) {
  try {
    setText('message', await action());
    await refresh();
  } catch (error) {
    setText('message', error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} id */
const chosen = (id) => /** @type {HTMLSelectElement} */ (byId(id)).value;

byId('fault-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const [service = '', ...match] = chosen('fault-target').split(' ');
  const rule = { service, match: match.join(' '), fault: chosen('fault-name') };
  void act(async () => {
    await addFault(rule);
    return `The next answer to ${rule.match} will be lost: ${rule.fault}.`;
  });
});

byId('prune').addEventListener('click', () => {
  void act(async () => {
    const now = await advanceClock('25h');
    return `It is now ${new Date(now).toLocaleString()}: keys older than 24 hours are forgotten.`;
  });
});

byId('clear').addEventListener('click', () => {
  void act(async () => {
    await clearFaults();
    return 'No fault is waiting any more.';
  });
});

byId('reset').addEventListener('click', () => {
  if (!confirm('Forget all charges, refunds, e-mails, requests, keys and faults?')) return;
  void act(async () => {
    await reset();
    return 'Everything is forgotten.';
  });
});

void poll();
