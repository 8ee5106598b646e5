import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fromSdk } from '../../../src/sandbox/temporal/from-sdk.js';
import { temporalCli } from '../../../src/sandbox/temporal/program.js';
import { fakeCli, fakeMachine } from './fakes.js';

it('keeps what the SDK downloads, of the pinned version', async () => {
  const machine = await fakeMachine();
  // Loaded before the download script: an SDK that "downloads" a shell script, whose content tells what was asked for.
  const preload = join(machine.folder, 'fake-sdk.cjs');
  const sdk = createRequire(import.meta.url).resolve('@temporalio/testing');
  await writeFile(
    preload,
    `require(${JSON.stringify(sdk)}).TestWorkflowEnvironment.createLocal = async ({ server: { executable } }) => {
      const content = '#!/bin/sh\\n# ' + executable.type + ' ' + executable.version + '\\n' + ${JSON.stringify(fakeCli)};
      require('node:fs').writeFileSync(executable.downloadDir + '/temporal-cli', content);
      return { teardown: async () => {} };
    };`,
  );
  const env = { ...machine.env, NODE_OPTIONS: `--require ${preload}` };
  const path = await fromSdk(temporalCli, { env, log: () => undefined });
  expect(await readFile(path, 'utf8')).toContain('# cached-download v1.9.1');
  expect(await readdir(machine.cache)).toHaveLength(1);
});

it('gives up at once on a network that refuses it, and leaves nothing behind', async () => {
  const machine = await fakeMachine();
  const refused = fromSdk(temporalCli, { env: machine.env, log: () => undefined });
  await expect(refused).rejects.toThrow(/^Connection refused/i);
  expect(await readdir(machine.cache)).toEqual([]);
});
