import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian keeps the server's programs off the PATH, a folder for each version; Homebrew keeps versions in folders too. */
const versionedFolders = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];

/** `DROP DATABASE … WITH (FORCE)`, which the tests need, came with 13. */
const oldestVersion = 13;

/** The folder with `initdb` and `postgres`. Throws, in one line, if there is none. */
export function findPrograms(): string {
  const found = candidates().find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
  if (found) return found;
  throw new Error(
    `PostgreSQL ${oldestVersion} or newer is needed and was not found on the PATH or in ${versionedFolders.join(', ')}: ` +
      'install Debian\'s or Homebrew\'s package "postgresql"',
  );
}

function candidates(): string[] {
  const versioned = versionedFolders.flatMap((folder) =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .map((name) => ({ name, version: Number(/^(?:postgresql@)?(\d+)$/.exec(name)?.[1]) }))
      .filter(({ version }) => version >= oldestVersion)
      .sort((one, other) => other.version - one.version)
      .map(({ name }) => join(folder, name, 'bin')),
  );
  return [...(process.env['PATH'] ?? '').split(delimiter), ...versioned];
}

/** `initdb` and `postgres` refuse to run as root: then they run as the package's own user, or as nobody. */
export function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string, user: string): number =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  for (const user of ['postgres', 'nobody']) {
    try {
      return { uid: id('-u', user), gid: id('-g', user) };
    } catch {
      // There is no such user; try the next.
    }
  }
  throw new Error('PostgreSQL refuses to run as root, and there is neither a user "postgres" nor "nobody"');
}
