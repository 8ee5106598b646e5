import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/**
 * Second half of `npm run build`: the workflow code as one file beside the compiled worker, which then starts in half
 * the time and needs no bundler.
 */
const workflowsPath = fileURLToPath(new URL('../src/workflows/index.ts', import.meta.url));
const bundlePath = fileURLToPath(new URL('../dist/workflow-bundle.js', import.meta.url));

const { code } = await bundleWorkflowCode({ workflowsPath });
await mkdir(dirname(bundlePath), { recursive: true });
await writeFile(bundlePath, code);
