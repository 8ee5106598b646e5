import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { untilReleased } from '../rig/held-delays.js';
import { raw as rawMail, receipt } from './mail/rig.js';
import { chargeBody, exchangeBytes, lastOfConnection, rawCreate } from './raw.js';
import { sandboxForTest } from './rig.js';

/** A create by its real port: the status, the headers and what the JSON says. */
async function create(sandbox: Sandbox, body: NonNullable<RequestInit['body']>, key?: string) {
  const response = await fetch(`${sandbox.stripeUrl}/v1/payment_intents`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sk_test_raw',
      'content-type': 'application/x-www-form-urlencoded',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body,
  });
  const json = (await response.json()) as { id?: string; description?: string; metadata?: Record<string, string> };
  return { status: response.status, headers: response.headers, json };
}

const keysOf = (sandbox: Sandbox): (string | null)[] => sandbox.effects().charges.map(({ key }) => key);

test('a flood of headers does not wash the key away', async () => {
  const sandbox = await sandboxForTest();
  const flood = 'a:1\r\n'.repeat(2_500);
  for (let i = 0; i < 2; i += 1) {
    const answer = await exchangeBytes(
      sandbox.ports.stripe,
      rawCreate(`${flood}Idempotency-Key: k\r\n${lastOfConnection}`),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (200|431) /);
  }
  expect(keysOf(sandbox)).toEqual(['k']);
});

test('two keys in one request are one key, and the next request with both is a replay', async () => {
  const sandbox = await sandboxForTest();
  const twice = rawCreate(`Idempotency-Key: a\r\nIdempotency-Key: b\r\n${lastOfConnection}`);
  await exchangeBytes(sandbox.ports.stripe, twice);
  expect(await exchangeBytes(sandbox.ports.stripe, twice)).toContain('Idempotent-Replayed: true');
  expect(keysOf(sandbox)).toEqual(['a, b']);
});

test('bytes that are no text are refused: two requests that differ in them must not look the same', async () => {
  const sandbox = await sandboxForTest();
  const broken = (byte: number): Buffer =>
    Buffer.concat([Buffer.from(`${chargeBody}&description=`), Buffer.from([byte])]);
  for (const byte of [0xff, 0xfe]) expect((await create(sandbox, broken(byte), 'k')).status).toBe(400);
  expect((await create(sandbox, chargeBody, 'k')).status).toBe(200);

  const text = JSON.stringify({ ...receipt, text: '*' });
  for (const byte of ['\u00ff', '\u00fe']) {
    const body = Buffer.from(text.replace('*', byte), 'latin1');
    expect((await rawMail(sandbox, { body, headers: { 'idempotency-key': 'm' } }))[0]).toBe(400);
  }
  expect([keysOf(sandbox), sandbox.effects().emails]).toEqual([['k'], []]);
});

test('names that every object of JavaScript has are names like any other', async () => {
  const sandbox = await sandboxForTest();
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'prototype', 'length'];
  const metadata = names.map((name) => `metadata[${name}]=${name}`).join('&');
  const { json } = await create(sandbox, `${chargeBody}&${metadata}&description=__proto__ [__proto__]`);
  expect(json.metadata).toEqual(Object.fromEntries(names.map((name) => [name, name])));
  expect(json.description).toBe('__proto__ [__proto__]');
  for (const name of [...names, '__proto__']) {
    expect((await create(sandbox, `${chargeBody}&${name}=x`)).status).toBe(400);
    expect((await create(sandbox, `${chargeBody}&expand[]=${name}`)).status).toBe(400);
    expect((await create(sandbox, chargeBody, name)).json.id).toMatch(/^pi_/);
  }
  const withProto = (value: number): RequestInit => ({
    body: JSON.stringify(receipt).replace('{', `{"__proto__":{"a":${value}},`),
    headers: { 'idempotency-key': '__proto__' },
  });
  expect([(await rawMail(sandbox, withProto(1)))[0], (await rawMail(sandbox, withProto(2)))[0]]).toEqual([200, 409]);
});

test('a client that closes its half of the connection may lose the answer, but not the effect', async () => {
  const sandbox = await sandboxForTest();
  sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'slow', delayMs: untilReleased });
  const socket = connect(sandbox.ports.stripe, '127.0.0.1').resume();
  socket.end(rawCreate('Idempotency-Key: k\r\n'));
  await sandbox.release();
  await expect.poll(() => keysOf(sandbox)).toEqual(['k']);
  expect((await create(sandbox, chargeBody, 'k')).headers.get('idempotent-replayed')).toBe('true');
});

test('the same create pipelined on one connection: executed once, replayed in order', async () => {
  const sandbox = await sandboxForTest();
  const one = rawCreate('Idempotency-Key: k\r\n');
  const last = rawCreate(`Idempotency-Key: k\r\n${lastOfConnection}`);
  const bytes = Buffer.concat([...Array.from({ length: 49 }, () => one), last]);
  const answers = (await exchangeBytes(sandbox.ports.stripe, bytes)).split(/(?=HTTP\/1\.1 )/);
  expect(answers.map((answer) => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])).toEqual(answers.map(() => '200'));
  expect(answers.map((answer) => answer.includes('Idempotent-Replayed: true'))).toEqual([
    false,
    ...Array.from({ length: 49 }, () => true),
  ]);
  expect(keysOf(sandbox)).toEqual(['k']);
});

test('1,000 requests at once with 100 keys: 100 charges, and nobody is told anything else', async () => {
  const sandbox = await sandboxForTest();
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, async (_, i) => ({
      key: `k${i % 100}`,
      ...(await create(sandbox, chargeBody, `k${i % 100}`)),
    })),
  );
  const ids = new Map(sandbox.effects().charges.map(({ key, id }) => [key, id]));
  expect(sandbox.effects().charges).toHaveLength(100);
  const wrong = answers.filter(
    ({ status, key, json }) => status !== 409 && (status !== 200 || json.id !== ids.get(key)),
  );
  expect(wrong).toEqual([]);
});
