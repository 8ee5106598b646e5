import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import type { TestProject } from 'vitest/node';
import { startTemporal } from '../../src/sandbox/temporal/start.js';

declare module 'vitest' {
  interface ProvidedContext {
    temporalAddress: string;
    /** The workflow code, bundled once for all workers of all tests. */
    workflowBundle: string;
  }
}

/** One real Temporal server for all test files; each test has its own task queue and workflow ids. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
  const workflowsPath = fileURLToPath(new URL('../../src/workflows/index.ts', import.meta.url));
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: silent });
  const workflowBundle = join(folder, 'workflow-bundle.js');
  await writeFile(workflowBundle, code);
  const temporal = await startTemporal({ headless: true });
  project.provide('temporalAddress', temporal.address);
  project.provide('workflowBundle', workflowBundle);
  return async () => {
    await temporal.stop();
    await rm(folder, { recursive: true });
  };
}

const ignore = (): void => undefined;
const silent = { log: ignore, trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
