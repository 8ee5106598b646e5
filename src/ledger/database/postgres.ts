import type { Socket } from 'node:net';
import { CompiledQuery, type Driver, PostgresDialect } from 'kysely';
import pg from 'pg';

/**
 * A transaction holds a connection for a few round trips and never waits for a second one, so a worker with a hundred
 * activities at once shares these. Nine such workers fit into PostgreSQL's default of 100 connections.
 */
const maxConnections = 10;

/** For a connection, and for a free one of the pool. An absent database is said soon; the activity is tried again. */
const connectionTimeoutMs = 5_000;

/** Longer than any answer of a live server, by its own time-outs below. */
const silenceMs = 15_000;

/**
 * No transaction of ours takes more than some milliseconds. One that is stuck, be it another's that holds a lock or our
 * own in a worker that was paused, must not keep a plan waiting for ever. Set here and not at the connection's start,
 * where poolers such as PgBouncer refuse settings. READ COMMITTED is what `rows.ts` counts on, whatever the default.
 */
const begin = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '5s';
  SET LOCAL statement_timeout = '10s'; SET LOCAL idle_in_transaction_session_timeout = '10s'`;

export function openPostgres(url: string): PostgresDialect {
  // Our times and counts are safe as numbers; pg gives 64-bit integers as strings unless told so.
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    ...{ connectionString: url, types, max: maxConnections, connectionTimeoutMillis: connectionTimeoutMs },
  });
  // A lost connection is replaced when the next one is needed. Without a listener it would end the process, an idle one
  // through the pool, one at work by itself.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    endSilence(client);
  });
  return new LedgerDialect({ pool });
}

/** A server that vanished without a word (power, network) would be waited for until TCP gives up, for a quarter hour. */
function endSilence(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setTimeout(silenceMs, () => stream.destroy(new Error('The ledger’s database does not answer')));
}

class LedgerDialect extends PostgresDialect {
  override createDriver(): Driver {
    const driver = super.createDriver();
    const connect = driver.acquireConnection.bind(driver);
    driver.acquireConnection = () => connect().catch(explain);
    driver.beginTransaction = async (connection) => {
      await connection.executeQuery(CompiledQuery.raw(begin));
    };
    return driver;
  }
}

/** Several addresses that all refuse come as one error without words. */
function explain(error: unknown): never {
  const reasons = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const messages = reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason)));
  throw new Error(`The ledger's database cannot be reached: ${messages.join(', ')}`);
}
