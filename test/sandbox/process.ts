import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const main = fileURLToPath(new URL('../../src/sandbox/main.ts', import.meta.url));

export interface SandboxProcess {
  process: ChildProcess;
  /** The line on stdout. */
  ready: { ready: true; url: string; stripeUrl: string; mailUrl: string; ports: Record<string, number> };
  stderr: () => string;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

function launch(options: readonly string[], environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...options], {
    env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_STRIPE_PORT: '0', SANDBOX_MAIL_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** `npm run sandbox` as its own process, when it is ready. */
export async function startProcess(options: readonly string[], environment = {}): Promise<SandboxProcess> {
  const child = launch(options, environment);
  const stderr = collect(child.stderr);
  const [line] = (await Promise.race([
    once(createInterface(child.stdout as NodeJS.ReadableStream), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`The sandbox ended: ${stderr()}`))),
  ])) as [string];
  return {
    process: child,
    ready: JSON.parse(line) as SandboxProcess['ready'],
    stderr,
    async end(signal) {
      const exit = once(child, 'exit') as Promise<[number | null]>;
      child.kill(signal);
      return (await exit)[0];
    },
  };
}

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

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}
