/* `npm run demo` as a person runs it: what it shows, and that Ctrl-C leaves nothing behind. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { patience } from './limits.js';
import { type Family, npmRun } from './process-family.js';

/** A stop has to wait for a bundler's turn to end, and for the attempt that is on its way. */
const stopLimit = 60_000;

/** The demos' temporary folders are made in here, and nobody else's. */
let temporary: string;
beforeAll(() => (temporary = mkdtempSync(join(tmpdir(), 'agent-plans-'))));
afterAll(() => rmSync(temporary, { recursive: true }));

/** A server of its own, whatever this machine's environment names. */
const demo = (): Family => npmRun(['demo', '--', '--json'], { TMPDIR: temporary, TEMPORAL_ADDRESS: '' });

const leftFolders = (): string[] => readdirSync(temporary).filter((name) => name.startsWith('agent-plans-demo-'));

interface Run {
  workflowId: string;
  charges: number;
  emails: number;
  attempts: { charge: number; email: number };
  steps: { tool: string; keys: string[]; effects: string[] }[];
}

/** Takes a port, unless somebody has it already. */
function occupy(port: number): void {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.on('error', () => undefined).listen(port, '127.0.0.1');
}

describe.skipIf(process.platform !== 'linux')('npm run demo', () => {
  test('shows one effect and two, also with a second demo beside it and the usual ports taken', async () => {
    for (const port of [7233, 8233, 4010, 4011, 4012]) occupy(port);
    const demos = [demo(), demo()];

    const outputs = await Promise.all(
      demos.map(async ({ ended, stdout, stderr }) => {
        expect(await ended, stderr()).toEqual([0, null]);
        // What is told of a request, is told when it is known.
        expect(stderr()).toMatch(/known: the first answer again/);
        expect(stderr()).not.toMatch(/key \S+ +none/);
        return JSON.parse(stdout()) as { once: Run; broken: Run };
      }),
    );

    for (const { once, broken } of outputs) {
      expect(once).toMatchObject({ charges: 1, emails: 1 });
      expect(once.attempts.charge).toBeGreaterThanOrEqual(2);
      expect(once.attempts.email).toBeGreaterThanOrEqual(2);
      expect(once.steps).toMatchObject([
        { tool: 'charge', keys: [expect.stringMatching(/^ap1_0_do_/)], effects: { length: 1 } },
        { tool: 'email', keys: [expect.stringMatching(/^ap1_1_do_/)], effects: { length: 1 } },
      ]);
      expect(broken).toMatchObject({ charges: 2, emails: 2, attempts: { charge: 2, email: 2 } });
      expect(broken.steps).toMatchObject([{ keys: { length: 2 } }, { keys: { length: 2 } }]);
    }
    expect(new Set(outputs.map(({ once }) => once.workflowId)).size).toBe(2);
    expect(demos.flatMap(({ alive }) => alive())).toEqual([]);
    expect(leftFolders()).toEqual([]);
  });

  test.for<[string, RegExp]>([
    ['the search for the server', /^temporal: /m],
    ['the start of the workers', /^starting the worker$/m],
    ['the first plan, with an attempt on its way', /the answer is withheld/],
  ])('leaves nothing behind after Ctrl-C during %s', async ([, line]) => {
    const { alive, ended, interrupt, stderr, stdout } = demo();
    await vi.waitUntil(() => line.test(stderr()), patience);
    interrupt();
    const interrupted = Date.now();

    expect(await ended, stderr()).toEqual([130, null]);
    expect(Date.now() - interrupted).toBeLessThan(stopLimit);
    expect(stderr()).not.toMatch(/^ +at /m);
    expect(stdout()).toBe('');
    expect(alive()).toEqual([]);
    expect(leftFolders()).toEqual([]);
  });
});
