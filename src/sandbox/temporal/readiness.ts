import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import type { ServerProcess } from './server-process.js';

const READY_LIMIT_MS = 60_000; // one or two seconds at rest; a crowded CI machine takes its time
const CALL_LIMIT_MS = 2_000; // a healthy server answers in milliseconds
const PAUSE_MS = 50; // the wait that a start loses at most
const INVALID_ARGUMENT = 3; // of gRPC, whose own table is not among our dependencies

/** Resolves when the frontend knows every namespace; rejects when the server ends, refuses one or takes too long. */
export async function untilReady(
  server: ServerProcess,
  address: string,
  namespaces: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS;
  for (;;) {
    signal?.throwIfAborted();
    if (!server.isRunning()) throw new Error(await server.ended);
    // In this order: on a lost race for the port, another server answers on it while ours is about to give up.
    if (server.hasPorts() && (await knowsAll(namespaces, address))) return;
    if (Date.now() > deadline) throw new Error(`gave no answer within ${READY_LIMIT_MS / 1000} s`);
    await sleep(PAUSE_MS);
  }
}

async function knowsAll(namespaces: readonly string[], address: string): Promise<boolean> {
  // A new connection a try, and no interceptors (the SDK's retries by default): both would wait a second and more before
  // they try a refused connection again.
  const connection = Connection.lazy({ address, interceptors: [] });
  try {
    await connection.withDeadline(Date.now() + CALL_LIMIT_MS, async () => {
      for (const namespace of namespaces) await connection.workflowService.describeNamespace({ namespace });
    });
    return true;
  } catch (error) {
    if (isGrpcServiceError(error) && (error.code as number) !== INVALID_ARGUMENT) return false;
    // A name that can be no header never gets as far as gRPC.
    throw new Error(`refused a namespace (${namespaces.join(', ')}): ${(error as Error).message}`, { cause: error });
  } finally {
    await connection.close();
  }
}
