import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import type { ServerProcess } from './server-process.js';

const READY_LIMIT_MS = 60_000; // one or two seconds at rest; a crowded CI machine takes its time
const CALL_LIMIT_MS = 2_000; // a healthy server answers in milliseconds
const PAUSE_MS = 50; // the wait that a start loses at most

/** Resolves when the frontend knows every namespace; rejects when the server ends or takes too long. */
export async function untilReady(
  server: ServerProcess,
  address: string,
  namespaces: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS;
  for (;;) {
    signal?.throwIfAborted();
    const answered = await knowsNamespaces(address, namespaces);
    // Asked after the answer: on a lost race for the port another server may have given it, while ours has just ended.
    if (!server.running()) throw new Error(await server.ended);
    if (answered) return;
    if (Date.now() > deadline) throw new Error(`gave no answer within ${READY_LIMIT_MS / 1000} s`);
    await sleep(PAUSE_MS);
  }
}

async function knowsNamespaces(address: string, namespaces: readonly string[]): Promise<boolean> {
  // A new connection a try, and no interceptors (the SDK's retries by default): both would wait a second and more before
  // they try a refused connection again.
  const connection = Connection.lazy({ address, interceptors: [] });
  try {
    await connection.withDeadline(Date.now() + CALL_LIMIT_MS, async () => {
      for (const namespace of namespaces) await connection.workflowService.describeNamespace({ namespace });
    });
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}
