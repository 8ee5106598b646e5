/*
 * with-postgres COMMAND…: runs a command with TEST_POSTGRES_URL, a PostgreSQL server that is there for it alone and is
 * gone afterwards, however the command ends. Its exit code is the command's.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { runCommand, UsageError } from '../src/command.js';
import { createCluster } from './postgres/cluster.js';

await runCommand(async () => {
  const [program, ...args] = process.argv.slice(2);
  if (program === undefined) throw new UsageError('usage: with-postgres COMMAND…');
  const cluster = await createCluster().catch((error: unknown) => {
    throw new UsageError((error as Error).message);
  });
  try {
    return await run(program, args, cluster.url);
  } finally {
    await cluster.remove();
  }
});

function run(program: string, args: readonly string[], url: string): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, TEST_POSTGRES_URL: url } });
  // The command decides what a signal means; this program only stays to clear up after it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  });
}
