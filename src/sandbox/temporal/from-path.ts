import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { probe } from './probe.js';
import { TemporalProblem } from './problem.js';
import type { Program } from './program.js';
import type { Search } from './search.js';

/** The file that the variable names. One that does not work ends the search: whoever set it wants that one. */
export async function fromVariable(program: Program, search: Search): Promise<string> {
  const path = search.env[program.pathVariable];
  if (!path) throw new Error('not set');
  await probe(path, program, search).catch((error: unknown) => {
    search.signal?.throwIfAborted();
    throw new TemporalProblem(`${program.pathVariable}: ${(error as Error).message}; correct it or unset it`);
  });
  return path;
}

export async function fromPath(program: Program, search: Search): Promise<string> {
  const file = process.platform === 'win32' ? `${program.file}.exe` : program.file;
  // Relative entries are left out: what they mean changes with the working folder.
  for (const folder of (search.env['PATH'] ?? '').split(delimiter).filter(isAbsolute)) {
    const path = join(folder, file);
    const executable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!executable) continue;
    await probe(path, program, search);
    return path;
  }
  throw new Error('not there');
}
