import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { findProgram } from './find-program.js';
import { choosePort, HOST, type PortWish } from './ports.js';
import { TemporalProblem } from './problem.js';
import { temporalCli } from './program.js';
import { untilReady } from './readiness.js';
import { runServer } from './server-process.js';
import { serverArguments } from './server-arguments.js';
import type { Search } from './search.js';
import { crash } from './tail.js';

/** The server always makes this one. */
export const DEFAULT_NAMESPACE = 'default';

const START_TRIES = 5; // what passes by itself is rare, five in a row are something else

/** Why a start may fail and the next one succeed. */
const passing = [
  // Between our look at a port and the server's, another process can take it: look for another one.
  { says: /address already in use/, reason: 'a port was taken by another process in the meantime' },
  // Seen once in hundreds of starts, on a busy machine.
  { says: crash, reason: 'the server crashed while it started' },
];

export interface StartOptions extends Partial<Search> {
  port?: PortWish;
  uiPort?: PortWish;
  /** No Web UI. */
  headless?: boolean;
  /** Made at the start, in addition to `default`. */
  namespaces?: readonly string[];
  /** Keeps the state in this SQLite file, so that a server started with it again goes on where the last one ended. */
  dbFile?: string | undefined;
  /** Gets each line that the server writes to its stderr: errors while it runs. */
  onServerLine?: (line: string) => void;
}

export interface LocalTemporal {
  address: string;
  port: number;
  uiUrl?: string;
  uiPort?: number;
  namespaces: string[];
  pid: number;
  /** How the server ended; pending while it runs. */
  ended: Promise<string>;
  stop: () => Promise<void>;
}

/** Starts a development server on this machine and resolves when it answers. The log gets one line a step. */
export async function startTemporal(options: StartOptions = {}): Promise<LocalTemporal> {
  const search = { env: options.env ?? process.env, log: options.log ?? (() => undefined), signal: options.signal };
  const path = await findProgram(temporalCli, search);
  if (options.dbFile) await makeFolderOf(options.dbFile);
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(path, options, search);
    } catch (error) {
      if (error instanceof TemporalProblem || search.signal?.aborted) throw error;
      const { message } = error as Error;
      const reason = passing.find(({ says }) => says.test(message))?.reason;
      if (!reason || tries === START_TRIES)
        throw new TemporalProblem(`the Temporal server did not start: it ${message}`);
      search.log(`${reason}: trying again`);
    }
  }
}

async function startOnce(path: string, options: StartOptions, search: Search): Promise<LocalTemporal> {
  const port = await choosePort(options.port, '--port', search.log);
  const uiPort = options.headless ? undefined : await choosePort(options.uiPort, '--ui-port', search.log);
  const namespaces = [...new Set([DEFAULT_NAMESPACE, ...(options.namespaces ?? [])])];
  const plan = { port, uiPort, namespaces, dbFile: options.dbFile };
  const server = await runServer(path, serverArguments(plan), search.env, options.onServerLine ?? (() => undefined));
  const address = `${HOST}:${port}`;
  try {
    await untilReady(server, address, namespaces, search.signal);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const ui = uiPort === undefined ? {} : { uiPort, uiUrl: `http://${HOST}:${uiPort}` };
  return { address, port, ...ui, namespaces, pid: server.pid, ended: server.ended, stop: server.stop };
}

async function makeFolderOf(file: string): Promise<void> {
  await mkdir(dirname(resolve(file)), { recursive: true }).catch((error: unknown) => {
    throw new TemporalProblem(`no folder for ${file}: ${(error as Error).message}`);
  });
}
