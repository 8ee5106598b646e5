import { HOST } from './ports.js';

export interface ServerPlan {
  port: number;
  /** Without one there is no Web UI. */
  uiPort?: number | undefined;
  namespaces: readonly string[];
  /** The SQLite file that outlives the server; without one the state lives in memory. */
  dbFile?: string | undefined;
}

/** The arguments of `temporal` for a development server. */
export function serverArguments({ port, uiPort, namespaces, dbFile }: ServerPlan): string[] {
  return [
    ...['server', 'start-dev', '--ip', HOST, '--port', String(port)],
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...namespaces.flatMap((namespace) => ['--namespace', namespace]),
    ...['--log-level', 'error'], // at "warn" a healthy server talks about itself, and a real error drowns
    // As shipped, the transfer queue is read 20 times a second: after a short burst every workflow task waits 50 ms for
    // its turn. Measured, from the start of a workflow to its first task under load: 51 ms without, 22 ms with it.
    ...['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=2000'],
    // As shipped, a timer may fire up to a second late, so that clocks of several servers may differ: here is one. Measured,
    // six attempts with pauses of 50 to 200 ms between them: 5.0 s without, 1.1 s with it.
    ...['--dynamic-config-value', 'history.timerProcessorMaxTimeShift="10ms"'],
    ...(dbFile === undefined ? [] : ['--db-filename', dbFile, ...fastAndDurableEnough]),
  ];
}

/**
 * SQLite's default syncs the disk several times a commit. Measured: 20 workflow starts a second without, 130 with these.
 * With a write-ahead log and synchronous=NORMAL (1) every commit survives a killed server, though not a power cut:
 * right for a development server, wrong for money. The ledger syncs every commit.
 */
const fastAndDurableEnough = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=1'];
