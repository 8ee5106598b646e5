import { describe, expect, it, vi } from 'vitest';
import { choosePort } from '../../../src/sandbox/temporal/ports.js';
import { patience } from '../../limits.js';
import { type RunningScript, runScript } from './run-script.js';

const main = (...args: string[]): RunningScript =>
  runScript(new URL('../../../src/sandbox/temporal/main.ts', import.meta.url), args);

const freePort = async () => String(await choosePort(undefined, '', () => undefined));

/** Not the usual ports: somebody may be at work there. */
const mainOnFreePorts = async () => main('--port', await freePort(), '--ui-port', await freePort());

async function ready(script: RunningScript) {
  await vi.waitUntil(() => script.stdout().includes('\n'), patience);
  return JSON.parse(script.stdout()) as Record<string, unknown>;
}

const answers = (address: unknown): Promise<boolean> =>
  fetch(address as string).then(
    () => true,
    () => false,
  );

describe('npm run temporal', () => {
  it('prints one JSON line when it is ready', async () => {
    const [port, uiPort] = [await freePort(), await freePort()];
    const script = main('--port', port, '--ui-port', uiPort, '--namespace', 'a', '--namespace', 'b');
    expect(await ready(script)).toEqual({
      ready: true,
      address: `127.0.0.1:${port}`,
      ui: `http://127.0.0.1:${uiPort}`,
      namespaces: ['default', 'a', 'b'],
    });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends the server and itself on %s, with exit code 0', async (signal) => {
    const script = await mainOnFreePorts();
    const { ui } = await ready(script);
    script.child.kill(signal);
    expect(await script.exit).toBe(0);
    expect(await answers(ui)).toBe(false);
    expect(script.stdout().trim().split('\n')).toHaveLength(1);
  });

  it('ends at once on a signal during the start', async () => {
    const script = await mainOnFreePorts();
    await vi.waitUntil(() => script.stderr().includes('temporal:'), patience);
    script.child.kill('SIGINT');
    expect(await script.exit).toBe(0);
    expect(script.stdout()).toBe('');
  });

  it.skipIf(process.platform === 'win32')('leaves no server behind when it is killed', async () => {
    const script = await mainOnFreePorts();
    const { ui } = await ready(script);
    expect(await answers(ui)).toBe(true);
    script.child.kill('SIGKILL');
    await vi.waitUntil(async () => !(await answers(ui)), patience);
  });

  it.each([
    [['--port', '0'], "option '--port <number>' argument '0' is invalid. It must be a number from 1 to 65535."],
    [['--ui-port', 'x'], "option '--ui-port <number>' argument 'x' is invalid. It must be a number from 1 to 65535."],
    [['--nope'], "unknown option '--nope'"],
  ])('answers %j with one line and exit code 2', async (args, line) => {
    const script = main(...args);
    expect(await script.exit).toBe(2);
    expect(script.stderr()).toBe(`${line}\n`);
    expect(script.stdout()).toBe('');
  });

  it('refuses a busy port that was asked for, with exit code 2', async () => {
    const port = await freePort();
    await ready(main('--port', port, '--headless'));
    const second = main('--port', port, '--headless');
    expect(await second.exit).toBe(2);
    expect(second.stderr().trim().split('\n').at(-1)).toBe(
      `port ${port} is in use: free it, or choose another one with --port`,
    );
  });
});
