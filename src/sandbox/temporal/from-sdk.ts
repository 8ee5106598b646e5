import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { install } from './cache.js';
import type { Program } from './program.js';
import { runCommand } from './run-command.js';
import type { Search } from './search.js';

/** Long enough for 45 MB at 20 Mbit/s. Short, because a network that swallows packets must not hold up the next step. */
const DOWNLOAD_LIMIT_MS = 20_000;

/**
 * The program by the SDK's own download. It cannot be cancelled, and it loads the SDK's native runtime, of which a
 * process has only one: therefore it has a process of its own, which is killed when it takes too long.
 */
export function fromSdk(program: Program, search: Search): Promise<string> {
  return install(program, search, async (folder) => {
    const script = fileURLToPath(new URL('./sdk-download.js', import.meta.url));
    const command = [...nodeFor(script), program.sdkServer, `v${program.version}`, folder] as const;
    const { ok, output } = await runCommand(command, search, DOWNLOAD_LIMIT_MS);
    const [file] = await readdir(folder);
    // The error is a chain, "failed to start: failed to download: … : connection refused": the last link is the reason.
    if (!ok || !file) throw new Error(output.split(/\n|: /).at(-1) || 'it left no file');
    return join(folder, file);
  });
}

/** Run from its sources, the project is TypeScript; built, it is JavaScript. */
function nodeFor(script: string): readonly [string, ...string[]] {
  if (import.meta.url.endsWith('.js')) return [process.execPath, script];
  // Under tsx the options that make this process read TypeScript are right for this version of Node, too.
  const underTsx = process.execArgv.some((option) => option.includes('tsx'));
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return [process.execPath, ...(underTsx ? process.execArgv : ['--import', loader]), script.replace(/js$/, 'ts')];
}
