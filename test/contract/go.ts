import { execFile } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What stripe-mock's `go.mod` asks for is 1.22.1. From 1.21 on, Go fetches a newer one by itself if need be. */
const fetchesNewer = { major: 1, minor: 21 };
const newer = 'golang.org/toolchain@v0.0.1-go1.22.12';

/** A `go` that can build the module, or undefined where there is none at all. */
export async function findGo(): Promise<string | undefined> {
  const version = await run('go', ['version']).catch(() => undefined);
  if (!version) return undefined;
  const [, major = '0', minor = '0'] = /go(\d+)\.(\d+)/.exec(version.stdout) ?? [];
  if (Number(major) > fetchesNewer.major || Number(minor) >= fetchesNewer.minor) return 'go';
  return fetchNewer();
}

/** What newer ones do, by hand, for the Go of Debian 12: the Go module proxy carries Go itself as a module, too. */
async function fetchNewer(): Promise<string> {
  const system = `${platform()}-${arch() === 'x64' ? 'amd64' : arch()}`;
  const { stdout } = await run('go', ['mod', 'download', '-json', `${newer}.${system}`]);
  const { Dir } = JSON.parse(stdout) as { Dir: string };
  const tools = join(Dir, 'pkg', 'tool', system.replace('-', '_'));
  // A module has no executable files.
  for (const folder of [join(Dir, 'bin'), tools]) {
    for (const file of await readdir(folder)) await chmod(join(folder, file), 0o755);
  }
  return join(Dir, 'bin', 'go');
}
