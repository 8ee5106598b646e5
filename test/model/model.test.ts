/*
 * Interleavings explored, not hoped for: the real workflow, `once`, `conclude` and the ledger's rules on a simulated
 * provider and clock. Every course of events with a few faults is tried, and random ones with many; after each event
 * promises 1 and 2 must hold. Each sabotage must be found out, or the search proves nothing.
 * `npm run model` searches deeper, for minutes.
 */
import { afterAll, expect, test, vi } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { explore, type Search } from './explore.js';
import { mirrored } from './mirrored-ledger.js';
import type { Sabotage } from './sabotage.js';
import { type Planted, sabotages } from './sabotages.js';
import { scenarios } from './scenario.js';
import { stroll } from './stroll.js';
import { World } from './world.js';

vi.mock('@temporalio/workflow', () => import('./workflow-api.js'));
vi.mock('../../src/plan/money.js', async (original) => {
  const { formatAmount } = await import('./pure.js');
  return { ...(await original()), formatAmount };
});
vi.mock('../../src/plan/plan.js', async (original) => {
  const { validatePlan } = await import('./pure.js');
  return { ...(await original()), validatePlan };
});
vi.mock('../../src/plan/fingerprint.js', async () => {
  const { fingerprint } = await import('./pure.js');
  return { fingerprint };
});
// Thousands of failures are made, and nobody reads where.
Error.stackTraceLimit = 0;

const faults = Number(process.env['MODEL_FAULTS'] ?? 2);
/** Three faults take minutes, four take hours. */
const timeout = faults > 2 ? 8 * 3_600_000 : 120_000;

/** More when the search is deep. */
const randomCourses = faults > 2 ? 50_000 : 1_500;

const seen: string[] = [];
afterAll(() => console.log(seen.join('\n')));

test.each(scenarios)(`$name: every course with ${faults} faults`, { timeout }, async (scenario) => {
  const search = await timed(scenario.name, () => explore(() => new World(scenario), { faults }));
  expect(search.violation).toBeUndefined();
});

const allFaults = [...new Set(scenarios.flatMap(({ faults: possible }) => possible))];
/** The last scenario of each plan. */
const plans = [...new Map(scenarios.map((scenario) => [JSON.stringify(scenario.plan), scenario])).values()];

test.each(plans)('$name: random courses with many faults', { timeout }, async (scenario) => {
  const anything = { ...scenario, faults: allFaults };
  const search = await timed(`random, ${scenario.name}`, () => stroll(() => new World(anything), randomCourses, 8, 1));
  expect(search.violation).toBeUndefined();
});

test('the ledger in memory does what the one in a database does', async () => {
  const differences: string[] = [];
  const possible = allFaults.filter((fault) => fault !== 'ledger lost');
  for (const scenario of plans) {
    const create = (): World => {
      let real: ReturnType<typeof openLedger> | undefined;
      const sabotage: Sabotage = {
        ledger: (memory, now) => mirrored(memory, () => (real ??= openLedger('file::memory:', now)), differences),
      };
      return new World({ ...scenario, faults: possible }, sabotage);
    };
    const search = await timed(`both ledgers, ${scenario.name}`, () => stroll(create, 40, 8, 2));
    expect(search.violation).toBeUndefined();
  }
  expect(differences).toEqual([]);
});

test.each(Object.entries(sabotages))('sabotage is found out: %s', async (name, sabotage) => {
  const { violation } = await timed(`sabotage, ${name}`, () => hunt(sabotage));
  expect(violation).toBeDefined();
  seen.push(`    ${violation?.what ?? ''}, after: ${violation?.course.join('; ') ?? ''}`);
});

/** The fewest faults first, so that what is found is short. */
async function hunt(sabotage: Planted): Promise<Search> {
  const total: Search = { states: 0, courses: 0 };
  const fitting = scenarios.filter((scenario) => sabotage.among.every((fault) => scenario.faults.includes(fault)));
  for (let few = 0; few <= sabotage.among.length; few++) {
    for (const scenario of fitting) {
      const among = { ...scenario, faults: sabotage.among };
      const { states, courses, violation } = await explore(() => new World(among, sabotage), { faults: few });
      total.states += states;
      total.courses += courses;
      if (violation) return { ...total, violation };
    }
  }
  return total;
}

async function timed(name: string, run: () => Promise<Search>): Promise<Search> {
  const begin = performance.now();
  const search = await run();
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  seen.push(`${name}: ${search.states} states, ${search.courses} courses, ${seconds} s`);
  return search;
}
