import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { spawnSandbox } from '../sandbox/spawn.js';

const form = 'amount=100&currency=usd&payment_method=pm_card_visa&payment_method_types[]=card&confirm=true';

interface Clients {
  /** Creates per second, over so many ms; each client sends its next one as soon as the one before is answered. */
  run(ms: number): Promise<number>;
  close(): Promise<void>;
}

/** A sandbox as a process of its own, and clients that keep their connections. */
export async function openClients(database: string, clients: number): Promise<Clients> {
  const sandbox = await spawnSandbox(['--database', database]);
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  let keys = 0;
  return {
    async run(ms) {
      const start = performance.now();
      let created = 0;
      const client = async (): Promise<void> => {
        for (; performance.now() < start + ms; created += 1) {
          await create(agent, sandbox.ready.stripeUrl, `key ${(keys += 1)}`);
        }
      };
      await Promise.all(Array.from({ length: clients }, client));
      return (created * 1000) / (performance.now() - start);
    },
    async close() {
      agent.destroy();
      await sandbox.end('SIGTERM');
    },
  };
}

/** Done when the answer is there, which is when the charge is on the disk. */
async function create(agent: Agent, url: string, key: string): Promise<void> {
  const sent = request(`${url}/v1/payment_intents`, {
    method: 'POST',
    agent,
    headers: {
      authorization: 'Bearer sk_test_bench',
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': key,
    },
  });
  sent.end(form);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`A create was answered ${String(response.statusCode)}: ${body}`);
}
