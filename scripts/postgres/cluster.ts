/*
 * A PostgreSQL server of one's own, for tests: real, durable (fsync is on), on a free port of this machine, in a
 * temporary folder, with a password that nobody else knows.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { guardOrphan } from '../../src/sandbox/temporal/orphan-guard.js';
import { findPrograms, unprivileged } from './programs.js';

/** Several test files at once, each with several workers, each with a pool. PostgreSQL's own default is 100. */
const maxConnections = 300;

export interface Cluster {
  /** A database that is there and empty; the user may create others. */
  url: string;
  /** The server's process, to be paused by a test. */
  pid(): number;
  /** `immediate` is a crash: every connection is cut, and the next start recovers from the log of writes. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its folder. */
  remove(): Promise<void>;
}

const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** Makes and starts a server; `settings` are lines of `postgresql.conf`. Throws if there is no PostgreSQL. */
export async function createCluster(settings: Record<string, string> = {}): Promise<Cluster> {
  const programs = findPrograms();
  const user = unprivileged();
  const folder = await mkdtemp(join(tmpdir(), 'agent-plans-postgres-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  const password = randomBytes(12).toString('hex');
  const environment = { PATH: process.env['PATH'], LC_ALL: 'C' };
  let server: ChildProcess | undefined;

  async function initialise(): Promise<number> {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user.uid !== undefined && user.gid !== undefined) {
      for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
    }
    await promisify(execFile)(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'ledger', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8'],
      { ...user, cwd: folder, env: environment },
    );
    return freePort();
  }

  const port = await initialise().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const wanted = {
    ...{ listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: folder },
    ...{ fsync: 'on', max_connections: String(maxConnections) },
    ...settings,
  };
  const args = Object.entries(wanted).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

  async function start(): Promise<void> {
    const child = spawn(join(programs, 'postgres'), ['-D', data, ...args], {
      ...{ ...user, cwd: folder, env: environment, stdio: ['ignore', 'ignore', 'pipe'] },
      // A group of its own: Ctrl-C at the terminal must not end it before those who use it.
      detached: true,
    });
    server = child;
    await once(child, 'spawn');
    child.once('exit', guardOrphan(child.pid ?? 0));
    await becomeReady(child);
  }

  async function stop(mode: keyof typeof stopSignals): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, 'exit');
    server.kill(stopSignals[mode]);
    await exit;
  }

  const cluster: Cluster = {
    url: `postgres://ledger:${password}@127.0.0.1:${port}/postgres`,
    pid: () => server?.pid ?? 0,
    ...{ start, stop },
    async remove() {
      await stop('immediate');
      await remove();
    },
  };
  await start().catch(async (error: unknown) => {
    await cluster.remove();
    throw error;
  });
  return cluster;
}

/** Reads the server's log to its end, so that it never blocks on a full pipe. */
async function becomeReady(child: ChildProcess): Promise<void> {
  if (!child.stderr) throw new Error('the log is not read');
  const log = createInterface({ input: child.stderr });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    log.on('line', (line) => {
      if (said.length < 20) said.push(line); // the cause of a failed start is among the first lines
      if (line.includes('database system is ready to accept connections')) resolve();
    });
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said.join(' | ')}`)));
  });
}

/** The port may be taken by another process between here and the server's start; then that start fails, and says so. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
