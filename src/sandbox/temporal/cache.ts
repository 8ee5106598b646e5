import { chmod, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { probe } from './probe.js';
import type { Program } from './program.js';
import type { Search } from './search.js';

const PROJECT = 'temporal-agent-plans';
const PARTIAL = 'partial-';
const PARTIAL_IS_DEAD_AFTER_MS = 60 * 60 * 1000; // no download is allowed to take nearly as long
const EXECUTABLE = 0o755;

export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const home = env['HOME'] ?? homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Caches', PROJECT);
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), PROJECT);
  const xdg = env['XDG_CACHE_HOME'];
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.cache'), PROJECT); // the XDG rules ignore a relative path
}

/** Platform and processor are in the name because a home folder may be shared between machines. */
export function cachedFile(program: Program, env: NodeJS.ProcessEnv): string {
  const ending = process.platform === 'win32' ? '.exe' : '';
  const name = `${program.file}-${program.version}-${process.platform}-${process.arch}${ending}`;
  return join(cacheFolder(env), name);
}

/**
 * Puts a program into the cache. `fetch` fills a folder of its own and returns the file.
 *
 * The file gets its final name only when it is complete, on disk and known to run, by one rename. So an interrupted run
 * leaves a partial folder and never a broken program, and of several first runs at once each puts a whole file there.
 */
export async function install(
  program: Program,
  search: Search,
  fetch: (folder: string) => Promise<string>,
): Promise<string> {
  const target = cachedFile(program, search.env);
  const cache = cacheFolder(search.env);
  await mkdir(cache, { recursive: true });
  await removeDeadPartials(cache);
  const partial = await mkdtemp(join(cache, PARTIAL));
  try {
    const file = await fetch(partial);
    await chmod(file, EXECUTABLE);
    await probe(file, program, search);
    await flush(file);
    await rename(file, target);
    return target;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Without it a power cut soon after the rename could leave the name with half of the content. */
async function flush(file: string): Promise<void> {
  // Opened for reading: while anybody has a program open for writing, starting it fails with "text file busy".
  const handle = await open(file, 'r');
  await handle.sync().finally(() => handle.close());
}

/** What killed runs left behind, 200 MB each. Young ones belong to a run that is still at work. */
async function removeDeadPartials(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith(PARTIAL)) continue;
    const path = join(cache, name);
    const found = await stat(path).catch(() => undefined); // its owner may remove it at this moment
    if (found && Date.now() - found.mtimeMs > PARTIAL_IS_DEAD_AFTER_MS)
      await rm(path, { recursive: true, force: true });
  }
}
