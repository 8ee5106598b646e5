import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Order, Reply } from './other-worker.js';

/** Another worker's process, as soon as it takes orders: several of them start their next one at the same moment. */
export async function startProcess(): Promise<(order: Order) => Promise<Reply>> {
  const child = fork(fileURLToPath(new URL('other-worker.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const tell = async (order: Order): Promise<Reply> => {
    child.send(order);
    const [reply] = (await once(child, 'message')) as [Reply];
    return reply;
  };
  await tell({ do: 'nothing' });
  return tell;
}

/** The same, with the ledger of `url` open. */
export async function startWorker(url: string): Promise<(order: Order) => Promise<Reply>> {
  const tell = await startProcess();
  await tell({ do: 'open', url });
  return tell;
}
