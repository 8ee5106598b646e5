import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { charge, email } from '../rig/plans.js';
import { useRig } from './rig.js';

const rig = useRig();

/** A way to the Temporal server that is cut as soon as the server has been sent `text`: the answer to that is lost. */
async function cutAfter(address: string, text: string): Promise<{ address: string; close: () => void }> {
  const [host = '', port = ''] = address.split(':');
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const server = connect(Number(port), host);
    let sent = '';
    for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined));
    client.on('data', (data) => {
      server.write(data);
      sent += data.toString('latin1');
      isCut ||= sent.includes(text);
    });
    server.on('data', (data) => (isCut ? client.destroy() : client.write(data)));
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  };
  return { address: `127.0.0.1:${(proxy.address() as { port: number }).port}`, close };
}

test('the answer to the start is lost: it is not called refused, and the same command attaches', async () => {
  const { begin, client, environment, file, newId, sandbox, temporal } = rig();
  const id = newId();
  const plan = await file({ goal: 'marked-in-the-request', steps: [charge(), email()] });
  const command = ['start', plan, '--workflow-id', id, '--json'];
  const way = await cutAfter(environment['TEMPORAL_ADDRESS'] ?? '', 'marked-in-the-request');

  const lost = await begin(command, { TEMPORAL_ADDRESS: way.address }).finished;
  way.close();
  expect(lost).toMatchObject({ code: 3, stdout: '' });
  expect(lost.stderr).toMatch(
    /not known whether the plan was started.*--workflow-id w-[\w-]+ attaches to it or starts/,
  );
  const { runId } = await temporal.workflow.getHandle(id).describe();

  const again = await client(command);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ runId, status: 'completed' });
  expect(sandbox.effects()).toMatchObject({ charges: { length: 1 }, emails: { length: 1 } });
});
