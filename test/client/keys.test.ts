import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { runHere } from './finished.js';

/** The golden vectors of the key recipe (design 4.2), as the command prints them. */
const golden = {
  charge: 'ap1_0_do_a007c5a6e82d080dc1439d8a0268d061e8756d36f27c8e1acba19d0efb23a02f',
  undo: 'ap1_0_undo_d0f401d4797262d37a2025bf9430cebf42d752e3ec98ca3392533a4b18228b7c',
  email: 'ap1_1_do_41fce248c8b2ae1bce88523c59d5032508b6663b9eb12190e7a50efc1c80de5a',
  inShopB: 'ap1_0_do_94cc00b9f7a93ef90aa1c62310c177f043e677d30e57b4712d63b8266dd5c1b8',
};

const command = [
  'keys',
  fileURLToPath(new URL('../../plans/order.json', import.meta.url)),
  '--workflow-id',
  'order-1042',
];

afterEach(() => vi.unstubAllEnvs());

test('keys are those of the golden vectors, and need no server', async () => {
  vi.stubEnv('TEMPORAL_ADDRESS', '127.0.0.1:1');
  const json = await runHere([...command, '--json']);
  expect(json).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(json.stdout)).toEqual({
    workflowId: 'order-1042',
    namespace: 'default',
    keys: [
      { index: 0, id: 'payment', tool: 'charge', key: golden.charge, undoKey: golden.undo },
      { index: 1, tool: 'email', key: golden.email },
    ],
  });
  expect(await runHere(command)).toMatchObject({
    code: 0,
    stdout: `0 payment  charge $25.00             ${golden.charge}\n1          email to ada@example.com  ${golden.email}\n`,
  });
});

test('the namespace is in the key', async () => {
  vi.stubEnv('TEMPORAL_NAMESPACE', 'shop-b');
  const { stdout } = await runHere([...command, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ namespace: 'shop-b', keys: [{ key: golden.inShopB }, {}] });
});
