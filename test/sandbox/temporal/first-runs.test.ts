import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { patience } from '../../limits.js';
import { type FakeMachine, fakeMachine, fakePip, fakePython, hangingPython } from './fakes.js';
import { runScript } from './run-script.js';

const script = new URL('./find-in-process.ts', import.meta.url);
const search = ({ env }: FakeMachine) => runScript(script, [], env);
const partials = async ({ cache }: FakeMachine) =>
  (await readdir(cache).catch(() => [])).filter((name) => name.startsWith('partial-'));

describe('the cache', () => {
  it('is whole after several first runs at once', async () => {
    const machine = await fakeMachine();
    await machine.add('pip', fakePip);
    await machine.add('python3', fakePython);
    const runs = [search(machine), search(machine), search(machine)];
    expect(await Promise.all(runs.map(({ exit }) => exit))).toEqual([0, 0, 0]);
    const [path] = runs.map(({ stdout }) => stdout());
    expect(runs.map(({ stdout }) => stdout())).toEqual([path, path, path]);
    expect(await readdir(machine.cache)).toHaveLength(1);
  });

  it('holds no broken program after a run that was killed while it unpacked', async () => {
    const machine = await fakeMachine();
    await machine.add('pip', fakePip);
    await machine.add('python3', hangingPython);
    const killed = search(machine);
    await vi.waitUntil(async () => (await machine.calls()).some((call) => call.includes('zipfile')), patience);
    killed.child.kill('SIGKILL');
    await vi.waitUntil(() => killed.child.signalCode, patience);
    expect(await readdir(machine.cache)).toEqual([expect.stringMatching(/^partial-/)]);

    await machine.add('python3', fakePython);
    const next = search(machine);
    expect(await next.exit).toBe(0);
    expect(next.stderr()).toMatch(/not by the cache: no /);
    // The dead run's folder is an hour too young to be known as dead.
    expect(await partials(machine)).toHaveLength(1);
  });

  it('is cleared of what dead runs left behind, and of nothing that may be in use', async () => {
    const machine = await fakeMachine();
    await machine.add('pip', fakePip);
    await machine.add('python3', fakePython);
    for (const name of ['partial-dead', 'partial-young']) await mkdir(join(machine.cache, name), { recursive: true });
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(join(machine.cache, 'partial-dead'), twoHoursAgo, twoHoursAgo);
    expect(await search(machine).exit).toBe(0);
    expect(await partials(machine)).toEqual(['partial-young']);
  });
});
