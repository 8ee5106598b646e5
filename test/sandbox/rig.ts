import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.js';
import { heldDelays } from '../rig/held-delays.js';

export interface TestSandbox extends Sandbox {
  /** Lets the requests go on that a fault holds with `untilReleased`. */
  release(): Promise<void>;
}

/** A sandbox that ends with the test. */
export async function sandboxForTest(options: SandboxOptions = {}): Promise<TestSandbox> {
  const { delay, release, end } = heldDelays();
  const sandbox = await startSandbox({ delay, ...options });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    end();
    return (closed ??= sandbox.close());
  };
  onTestFinished(close);
  return { ...sandbox, release, close };
}

/** A folder that is removed with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
