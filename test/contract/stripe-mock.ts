import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { findGo } from './go.js';

const run = promisify(execFile);

/** Stripe's own stand-in. It keeps nothing and knows no rules, but judges requests by the published specification. */
const module = 'github.com/stripe/stripe-mock@v0.203.0';

interface StripeMock {
  url: string;
  /** The folder of `spec3.json` and `fixtures3.json`. */
  openapi: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Absent in every other run, and where there is no Go. */
    stripeMock?: StripeMock;
  }
}

/** Gets the module by Go's own means (nothing of it is kept here), builds its program and runs it. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const go = await findGo();
  if (go === undefined) {
    console.warn(`\nSKIPPED: the contract checks need Go, to get and build ${module}\n`);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'stripe-mock-'));
  const { Dir } = JSON.parse((await run(go, ['mod', 'download', '-json', module])).stdout) as { Dir: string };
  await run(go, ['install', module], { env: { ...process.env, GOBIN: folder } });
  const program = spawn(
    join(folder, 'stripe-mock'),
    // Both: a port that is not named would be opened on all interfaces. No strict version check, since the client of
    // the tools is newer than this specification.
    ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  project.provide('stripeMock', { url: await addressOf(program), openapi: join(Dir, 'embedded', 'openapi') });
  return async () => {
    const ended = once(program, 'exit');
    program.kill();
    await ended;
    await rm(folder, { recursive: true });
  };
}

/** It prints one line for each request, too; nobody may stop reading, or it would stop working. */
async function addressOf(program: ChildProcess): Promise<string> {
  const lines = createInterface(program.stdout as NodeJS.ReadableStream);
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const address = /HTTP at address: (\S+)/.exec(line)?.[1];
      if (address) resolve(`http://${address}`);
    });
    lines.on('close', () => reject(new Error('stripe-mock ended before it was ready')));
  });
}
