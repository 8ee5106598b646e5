import { withoutSync, type SandboxDatabase } from './database.js';

/** What a commit has to outlive: what the sandbox has answered, a power cut; its log, a killed process. */
export type Outlives = 'power cut' | 'kill';

/** Runs the work in a transaction; resolves only when that is committed. */
export type Commit = <T>(work: () => T, outlives?: Outlives) => Promise<T>;

interface Job {
  outlives: Outlives;
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

/**
 * One `fsync` for all requests that came in together. The disk, not the processor, is what limits durable writes:
 * while one commit waits for it, the next requests arrive and then share the following one.
 *
 * Each piece of work is atomic by itself, too: one that throws takes only its own savepoint back.
 */
export function createGroupCommit(database: SandboxDatabase): Commit {
  let waiting: Job[] = [];

  const runInSavepoint = ({ work, resolve, reject }: Job): (() => void) => {
    database.exec('SAVEPOINT job');
    try {
      const value = work();
      database.exec('RELEASE job');
      return () => resolve(value);
    } catch (error) {
      database.exec('ROLLBACK TO job; RELEASE job');
      return () => reject(error);
    }
  };
  const runAll = database.transaction((jobs: Job[]) => jobs.map(runInSavepoint));

  const flush = (): void => {
    const jobs = waiting;
    waiting = [];
    try {
      const mustReachDisk = jobs.some(({ outlives }) => outlives === 'power cut');
      const settled = mustReachDisk ? runAll.immediate(jobs) : withoutSync(database, () => jobs.map(runInSavepoint));
      for (const settle of settled) settle();
    } catch (error) {
      for (const { reject } of jobs) reject(error);
    }
  };

  return <T>(work: () => T, outlives: Outlives = 'power cut') =>
    new Promise<T>((resolve, reject) => {
      // After all sockets that have something to read have been read, and before the loop waits for more.
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ outlives, work, resolve: resolve as Job['resolve'], reject });
    });
}
