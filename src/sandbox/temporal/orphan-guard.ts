import { spawn } from 'node:child_process';
import { signalGroup } from './signal-group.js';

/**
 * Kills a detached child when this process dies, however it dies. Returns what to call when the child has ended.
 *
 * An exit handler runs on `process.exit` and on an uncaught error, but not on SIGKILL. For that a small shell waits on
 * a pipe that only this process holds open: when the process is gone the pipe ends, and the shell ends the child.
 * Limits: Windows has no such shell, so there only the exit handler works; and nothing helps when both are killed.
 */
export function guardOrphan(pid: number): () => void {
  const kill = (): void => signalGroup(pid, 'SIGKILL');
  process.once('exit', kill);
  const release = (): void => void process.removeListener('exit', kill);
  if (process.platform === 'win32') return release;

  const script = 'read -r _; kill -s TERM -- "-$0"';
  // Detached: a Ctrl-C at the terminal goes to the whole group and must not end the guard before its charge.
  const guard = spawn('/bin/sh', ['-c', script, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.on('error', () => undefined); // without a shell the exit handler must do
  guard.unref();
  return () => {
    release();
    guard.kill('SIGKILL'); // at once: the child's pid is free now and may soon belong to somebody else
  };
}
