import { expect, test } from 'vitest';
import { charge, email } from '../rig/plans.js';
import { useRig } from './rig.js';

const rig = useRig();

/** The golden vectors of the key recipe (design 4.2), as the command prints them. */
const golden = {
  'order-1042': [
    'ap1_0_do_a007c5a6e82d080dc1439d8a0268d061e8756d36f27c8e1acba19d0efb23a02f',
    'ap1_1_do_41fce248c8b2ae1bce88523c59d5032508b6663b9eb12190e7a50efc1c80de5a',
  ],
  undo: 'ap1_0_undo_d0f401d4797262d37a2025bf9430cebf42d752e3ec98ca3392533a4b18228b7c',
  'shop-b': 'ap1_0_do_94cc00b9f7a93ef90aa1c62310c177f043e677d30e57b4712d63b8266dd5c1b8',
};

// A server that is not there: the keys need none.
const noServer = { TEMPORAL_ADDRESS: '127.0.0.1:1' };

test('keys are those of the golden vectors, in every form', async () => {
  const { client, file } = rig();
  const plan = await file({
    steps: [{ id: 'payment', ...charge() }, email(), { tool: 'lookup_charge', args: { charge: 0 } }],
  });
  const command = ['keys', plan, '--workflow-id', 'order-1042'];

  const json = await client([...command, '--json'], noServer);
  expect(json).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(json.stdout)).toEqual({
    workflowId: 'order-1042',
    namespace: 'default',
    keys: [
      { index: 0, id: 'payment', tool: 'charge', key: golden['order-1042'][0], undoKey: golden.undo },
      { index: 1, tool: 'email', key: golden['order-1042'][1] },
    ],
  });

  const people = await client(command, noServer);
  expect(people).toMatchObject({ code: 0, stderr: '' });
  expect(people.stdout).toBe(
    `0 payment  charge $25.00             ${golden['order-1042'][0]}\n` +
      `1          email to ada@example.com  ${golden['order-1042'][1]}\n`,
  );

  const other = await client([...command, '--json'], { ...noServer, TEMPORAL_NAMESPACE: 'shop-b' });
  expect(JSON.parse(other.stdout)).toMatchObject({ namespace: 'shop-b', keys: [{ key: golden['shop-b'] }, {}] });
});
