import { atTheEnd } from './at-the-end.js';
import type { Event } from './event.js';
import { events } from './events.js';
import { broken } from './invariants.js';
import type { World } from './world.js';

export interface Search {
  states: number;
  courses: number;
  /** The first course found that breaks a promise. */
  violation?: { what: string; course: string[] };
}

export interface Bounds {
  /** How many things may go wrong in one course. */
  faults: number;
  /** Ends the search early. */
  states?: number;
}

/** No course is longer; one that is has gone round in circles. */
const longest = 200;

/**
 * Searches all courses of events with at most so many faults, depth first. A course is replayed from its beginning for
 * every branch, since running code cannot be copied; a state that was seen with as many faults left is not entered again.
 */
export async function explore(create: () => World, { faults, states = Infinity }: Bounds): Promise<Search> {
  const seen = new Map<string, number>();
  const branches: { taken: number; of: number }[] = [];
  const search: Search = { states: 0, courses: 0 };
  do {
    search.courses++;
    const world = create();
    await world.start();
    const course: string[] = [];
    let left = faults;
    for (let depth = 0; ; depth++) {
      const choices = affordable(world, left);
      let branch = branches[depth];
      if (!branch) {
        const state = world.fingerprint();
        if ((seen.get(state) ?? -1) >= left) break;
        if (!seen.has(state)) search.states++;
        seen.set(state, left);
        if (choices.length === 0) {
          const what = await atTheEnd(world);
          if (what !== undefined) return { ...search, violation: { what, course } };
          break;
        }
        branch = { taken: 0, of: choices.length };
        branches.push(branch);
      }
      const event = choices[branch.taken];
      if (!event || depth > longest) throw new Error(`a course cannot be repeated: ${course.join('\n')}`);
      course.push(event.label);
      if (event.fault) left--;
      await event.happen();
      const what = broken(world);
      if (what !== undefined) return { ...search, violation: { what, course } };
    }
    while (branches.length > 0 && nextOf(branches)) branches.pop();
  } while (branches.length > 0 && search.states < states);
  return search;
}

/** Goes on to the branch's next choice; true if there is none. */
function nextOf(branches: { taken: number; of: number }[]): boolean {
  const branch = branches.at(-1);
  return branch === undefined || ++branch.taken >= branch.of;
}

const affordable = (world: World, left: number): Event[] =>
  events(world).filter(({ fault }) => fault === undefined || left > 0);
