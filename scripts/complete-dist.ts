/*
 * The second half of `npm run build`: what `dist` needs and `tsc` does not make.
 */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

const source = new URL('../src/', import.meta.url);
const dist = new URL('../dist/', import.meta.url);
await mkdir(dist, { recursive: true });

// The workflow code as one file beside the compiled worker, which then starts in half the time and needs no bundler.
const { code } = await bundleWorkflowCode({ workflowsPath: fileURLToPath(new URL('workflows/index.ts', source)) });
await writeFile(new URL('workflow-bundle.js', dist), code);

// The page is served as it lies there.
await cp(new URL('sandbox/page/', source), new URL('sandbox/page/', dist), {
  recursive: true,
  filter: (file) => !file.endsWith('tsconfig.json'),
});
