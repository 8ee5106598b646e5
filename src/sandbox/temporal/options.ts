import { InvalidArgumentError } from 'commander';
import { programNamed } from '../../command.js';
import type { PortWish } from './ports.js';
import type { StartOptions } from './start.js';

export const DEFAULT_PORT = 7233; // where every Temporal client looks first
const DEFAULT_UI_PORT = 8233; // where the CLI puts the Web UI beside 7233
const HIGHEST_PORT = 65_535;

interface Flags {
  port?: number;
  uiPort?: number;
  dbFilename?: string;
  namespace: string[];
  headless?: true;
}

/** The options of `npm run temporal`. Commander prints one line and exits by itself on a wrong one. */
export function readOptions(argv: readonly string[]): StartOptions {
  const command = programNamed('temporal', 'Starts a Temporal development server with Web UI on this machine.')
    .option('--port <number>', `port of the server (default: ${DEFAULT_PORT}, or a free one)`, toPort)
    .option('--ui-port <number>', `port of the Web UI (default: ${DEFAULT_UI_PORT}, or a free one)`, toPort)
    .option('--db-filename <file>', 'keep the state in this file (default: in memory)')
    .option('--namespace <name>', 'also make this namespace; can be given several times', collect, [])
    .option('--headless', 'no Web UI');
  const { port, uiPort, dbFilename, namespace, headless = false } = command.parse(argv).opts<Flags>();
  return {
    port: wish(port, DEFAULT_PORT),
    uiPort: wish(uiPort, DEFAULT_UI_PORT),
    dbFile: dbFilename,
    namespaces: namespace,
    headless,
  };
}

/** Whoever names a port means it; the default one is only a habit. */
function wish(given: number | undefined, usual: number): PortWish {
  return given === undefined ? { preferably: usual } : { exactly: given };
}

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > HIGHEST_PORT) {
    throw new InvalidArgumentError(`It must be a number from 1 to ${HIGHEST_PORT}.`);
  }
  return port;
}

function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}
