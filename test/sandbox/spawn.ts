import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/sandbox/main.ts', import.meta.url));

export interface SandboxProcess {
  process: ChildProcess;
  /** The line on stdout. */
  ready: { ready: true; url: string; stripeUrl: string; mailUrl: string; ports: Record<string, number> };
  stderr: () => string;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export function launchSandbox(options: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', main, ...options], {
    env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_STRIPE_PORT: '0', SANDBOX_MAIL_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** `npm run sandbox` as its own process, when it is ready. Whoever starts it ends it. */
export const spawnSandbox = (options: readonly string[], environment = {}): Promise<SandboxProcess> =>
  whenReady(launchSandbox(options, environment));

export async function whenReady(child: ChildProcess): Promise<SandboxProcess> {
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

export function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}
