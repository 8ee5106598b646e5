import type { Program } from './program.js';
import { runCommand } from './run-command.js';
import type { Search } from './search.js';

const PROBE_LIMIT_MS = 20_000; // the first start of a 150 MB file from a cold disk takes seconds, on a busy machine more

/** Throws unless the file runs and is the program: it may be cut short, for another processor, or a namesake. */
export async function probe(path: string, program: Program, search: Search): Promise<void> {
  const { output } = await runCommand([path, ...program.probe.arguments], search, PROBE_LIMIT_MS);
  if (program.probe.prints.test(output)) return;
  throw new Error(`${path} does not run as ${program.file} (${output.split('\n')[0] || 'it printed nothing'})`);
}
