import { Client, Connection, isGrpcServiceError, NamespaceNotFoundError, ServiceError } from '@temporalio/client';
import { UsageError } from '../command.js';
import type { CommonConfig } from '../config.js';
import { oneLine } from './text.js';

/** No server is said within 10 s (design 4.3), the start of this program included. */
const connectTimeout = 4_000;
/** The server answers in milliseconds; without a deadline a call would wait for ever. */
const callTimeout = 5_000;

/** What a command works with: the Temporal server that the environment names, and where the ledger is. */
export interface ClientContext {
  client: Client;
  namespace: string;
  address: string;
  taskQueue: string;
  /** Where the records of what was done are. */
  ledgerUrl: string;
  /** Makes calls to the server under a deadline. */
  call: <T>(work: () => Promise<T>, timeout?: number) => Promise<T>;
}

/** Connects, does some work and disconnects. A server that is absent or refuses is a `UsageError`. */
export async function withTemporal<T>(config: CommonConfig, work: (context: ClientContext) => Promise<T>): Promise<T> {
  const { namespace, connection: options } = config.temporal;
  const address = options.address ?? 'localhost:7233';
  const connection = await Connection.connect({ ...options, connectTimeout }).catch((error: unknown) => {
    throw new UsageError(`No Temporal server at ${address} (${serverTrouble(error)}); is TEMPORAL_ADDRESS right?`);
  });
  try {
    return await work({
      client: new Client({ connection, namespace }),
      namespace,
      address,
      taskQueue: config.taskQueue,
      ledgerUrl: config.ledgerUrl,
      call: (work, timeout = callTimeout) => connection.withDeadline(Date.now() + timeout, work),
    });
  } catch (error) {
    if (error instanceof NamespaceNotFoundError) {
      throw new UsageError(`The Temporal server at ${address} has no namespace "${namespace}"`);
    }
    if (isServerTrouble(error)) throw new UsageError(`The Temporal server at ${address}: ${serverTrouble(error)}`);
    throw error;
  } finally {
    await connection.close();
  }
}

/** Whether a call failed by the server or the way to it, not by what was asked. */
export const isServerTrouble = (error: unknown): boolean => isGrpcServiceError(error) || error instanceof ServiceError;

/** The server's own words, in one line. */
export function serverTrouble(error: unknown): string {
  const cause = error instanceof ServiceError ? error.cause : error;
  const text = isGrpcServiceError(cause) ? cause.details : cause instanceof Error ? cause.message : String(cause);
  // gRPC adds where it spent the time.
  return /^(deadline exceeded|call cancelled)/i.test(text) ? 'no answer in time' : oneLine(text);
}
