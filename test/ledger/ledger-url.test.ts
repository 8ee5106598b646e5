/* What an operator writes into LEDGER_URL reaches the database, and what is secret in it reaches no message. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.js';

const password = 'S3cret-p4ss';

/** Notes the first message of whoever connects, and answers it with `answer`. */
async function listener(answer: string): Promise<{ port: number; first: Buffer[] }> {
  const first: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      first.push(data);
      socket.end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, first };
}

/** PostgreSQL's protocol begins an encrypted connection with these eight bytes. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

test('sslmode in the URL asks for an encrypted connection, and takes no other', async () => {
  const { port, first } = await listener('N');
  const url = `postgres://worker:${password}@127.0.0.1:${port}/ledger?sslmode=verify-full`;
  await expect(openLedger(url)).rejects.toThrow('The server does not support SSL connections');
  expect(first.every((data) => data.equals(sslRequest))).toBe(true);
});

test('without it the connection begins at once, for the user and database of the URL', async () => {
  const { port, first } = await listener('');
  await expect(openLedger(`postgres://worker:${password}@127.0.0.1:${port}/ledger`)).rejects.toThrow();
  expect(first[0]?.toString('latin1')).toContain('user\0worker\0database\0ledger\0');
  expect(first[0]?.toString('latin1')).not.toContain(password);
});

test.each([
  ['nobody listens', `postgres://worker:${password}@127.0.0.1:1/ledger`],
  ['nobody listens on any address', `postgres://worker:${password}@localhost:1/ledger`],
  ['the host is unknown', `postgres://worker:${password}@ledger.invalid/ledger`],
  ['the port is none', `postgres://worker:${password}@127.0.0.1:port/ledger`],
  ['the password has a slash that is not encoded', `postgres://worker:1/${password}@127.0.0.1:1/ledger`],
  ['the password has a hash that is not encoded', `postgres://worker:1#${password}@127.0.0.1:1/ledger`],
  ['the password has a percent sign that is not encoded', `postgres://worker:%${password}%@127.0.0.1:1/ledger`],
  ['the user has a space', `postgres://the worker:${password}@127.0.0.1:port/ledger`],
  ['a certificate is missing', `postgres://worker:${password}@127.0.0.1:1/ledger?sslrootcert=no-such-file.pem`],
])('no message shows the password when %s', async (_, url) => {
  const error = await openLedger(url).then(
    async (ledger) => ledger.close(),
    (reason: unknown) => reason as Error,
  );
  expect(error).toBeInstanceOf(Error);
  expect(error?.message).toMatch(/^The ledger's database cannot be reached: ./);
  const everything = [error?.message, error?.stack, JSON.stringify(error), String((error as Error).cause)].join();
  expect(everything).not.toContain(password);
});
