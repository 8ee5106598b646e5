import { atTheEnd } from './at-the-end.js';
import { events } from './events.js';
import type { Search } from './explore.js';
import { broken } from './invariants.js';
import type { World } from './world.js';

/** How often something goes wrong where it can. */
const chanceOfFault = 0.25;

/** Random courses with more faults than a search of all can afford. The same seed gives the same courses. */
export async function stroll(create: () => World, courses: number, faults: number, seed: number): Promise<Search> {
  const random = randomNumbers(seed);
  const search: Search = { states: 0, courses: 0 };
  while (search.courses < courses) {
    search.courses++;
    const world = create();
    await world.start();
    const course: string[] = [];
    for (let left = faults; ;) {
      const all = events(world);
      const free = all.filter(({ fault }) => fault === undefined);
      const wrong = all.filter(({ fault }) => fault !== undefined && left > 0);
      const from = wrong.length > 0 && (free.length === 0 || random() < chanceOfFault) ? wrong : free;
      const event = from[Math.floor(random() * from.length)];
      if (!event) break;
      search.states++;
      course.push(event.label);
      if (event.fault) left--;
      await event.happen();
      const what = broken(world);
      if (what !== undefined) return { ...search, violation: { what, course } };
    }
    const what = await atTheEnd(world);
    if (what !== undefined) return { ...search, violation: { what, course } };
  }
  return search;
}

/** Numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
