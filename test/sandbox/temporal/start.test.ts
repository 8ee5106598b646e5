import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HOST } from '../../../src/sandbox/temporal/ports.js';
import { type LocalTemporal, startTemporal, type StartOptions } from '../../../src/sandbox/temporal/start.js';

async function start(options: StartOptions = {}): Promise<LocalTemporal> {
  const server = await startTemporal(options);
  onTestFinished(server.stop);
  return server;
}

async function connect({ address }: LocalTemporal, namespace = 'default'): Promise<Client> {
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  return new Client({ connection, namespace });
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'temporal-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Takes a port as another program would. */
async function occupyPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

describe('a local Temporal server', () => {
  it('answers for its namespaces, shows its Web UI, and is gone after stop', async () => {
    const server = await start({ namespaces: ['orders', 'default'] });
    expect(server.namespaces).toEqual(['default', 'orders']);
    const client = await connect(server, 'orders');
    const started = await client.workflow.start('anything', { taskQueue: 'nobody', workflowId: 'first' });
    expect((await started.describe()).status.name).toBe('RUNNING');
    const ui = await fetch(`${server.uiUrl ?? ''}/namespaces/orders/workflows`);
    expect(ui.status).toBe(200);

    await Promise.all([server.stop(), server.stop()]);
    expect(isAlive(server.pid)).toBe(false);
    expect(await server.ended).toMatch(/^ended with code 0/);
  });

  it('has no Web UI when it is headless', async () => {
    const server = await start({ headless: true });
    expect(server).not.toHaveProperty('uiUrl');
    expect(server).not.toHaveProperty('uiPort');
  });

  it('goes on where it was killed, on the same port and file', async () => {
    const dbFile = join(await freshFolder(), 'new folder', 'temporal.db');
    const first = await start({ dbFile, namespaces: ['orders'], headless: true });
    const client = await connect(first, 'orders');
    await client.workflow.start('anything', { taskQueue: 'nobody', workflowId: 'survivor' });
    expect(existsSync(`${dbFile}-wal`)).toBe(true); // the pragma is in force
    process.kill(first.pid, 'SIGKILL');
    expect(await first.ended).toMatch(/^ended with SIGKILL/);

    // Without --namespace: it must come from the file.
    const second = await start({ dbFile, headless: true, port: { exactly: first.port } });
    expect(second.address).toBe(first.address);
    const after = await connect(second, 'orders');
    expect((await after.workflow.getHandle('survivor').describe()).status.name).toBe('RUNNING');
  });

  it('stands beside others that are started at the same instant', async () => {
    const servers = await Promise.all([start(), start(), start()]);
    const ports = servers.flatMap(({ port, uiPort }) => [port, uiPort]);
    expect(new Set(ports).size).toBe(6);
    const [client, ...others] = await Promise.all(servers.map((server) => connect(server)));
    await client?.workflow.start('anything', { taskQueue: 'nobody', workflowId: 'mine' });
    for (const other of others) await expect(other.workflow.getHandle('mine').describe()).rejects.toThrow('not found');
  });

  it('takes another port when the usual one is busy, and says so', async () => {
    const busy = await occupyPort();
    const lines: string[] = [];
    const server = await start({ port: { preferably: busy }, headless: true, log: (line) => lines.push(line) });
    expect(server.port).not.toBe(busy);
    expect(lines).toContain(`port ${busy} is in use, taking ${server.port}`);
  });

  it.each(['port', 'uiPort'] as const)('refuses a busy port that was asked for (%s)', async (which) => {
    const busy = await occupyPort();
    await expect(start({ [which]: { exactly: busy } })).rejects.toThrow(`port ${busy} is in use`);
  });

  it('says in one line why it did not start', async () => {
    const dbFile = await freshFolder(); // a folder is no file
    await expect(start({ dbFile })).rejects.toThrow(
      /^the Temporal server did not start: it ended with code 1: .*database file.*$/,
    );
    await expect(start({ namespaces: [''] })).rejects.toThrow(/^the Temporal server did not start: it refused .*$/);
  });

  it('is not left behind by a start that is aborted', async () => {
    const abort = new AbortController();
    const starting = start({
      signal: abort.signal,
      log: (line) => /by the/.test(line) && abort.abort(new Error('stop')),
    });
    await expect(starting).rejects.toThrow('stop');
  });
});
