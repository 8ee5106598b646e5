import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { collect, launchSandbox, whenReady, type SandboxProcess } from './spawn.js';

export type { SandboxProcess } from './spawn.js';

function launch(options: readonly string[], environment: Record<string, string>): ChildProcess {
  const child = launchSandbox(options, environment);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** `npm run sandbox` as its own process, when it is ready; it does not outlive the test. */
export const startProcess = (options: readonly string[], environment = {}): Promise<SandboxProcess> =>
  whenReady(launch(options, environment));

/** One that is expected to give up by itself. */
export async function runProcess(
  options: readonly string[],
  environment = {},
): Promise<[number | null, string, string]> {
  const child = launch(options, environment);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, stdout(), stderr()];
}
