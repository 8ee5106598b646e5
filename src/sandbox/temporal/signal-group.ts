/**
 * Signals a child that was started detached, and what it has started itself: the program may be a wrapper script. On
 * Windows, which has no process groups, only the child.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It has ended already.
  }
}
