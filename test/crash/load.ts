import type { SandboxProcess } from '../sandbox/spawn.js';
import { newOperation, send, type Operation } from './operation.js';

const clients = 20;

/** Of all requests, so many are sent twice at the same time, as by an impatient client. */
const doubled = 0.1;

interface Load {
  operations: Operation[];
  /** Ends when the clients have noticed that nobody answers any more. */
  ended: Promise<void>;
  stop(): void;
}

/** Concurrent clients that charge, refund what they have charged, get declined and send e-mail, without a pause. */
export function startLoad(sandbox: SandboxProcess, name: string, random: () => number): Load {
  const operations: Operation[] = [];
  let running = true;

  const client = async (number: number): Promise<void> => {
    const charges: string[] = [];
    for (let i = 0; running; i += 1) {
      const operation = choose(random(), `${name} ${number} ${i}`, charges.at(-1));
      operations.push(operation);
      const repeats = random() < doubled ? 2 : 1;
      await Promise.all(Array.from({ length: repeats }, () => send(operation, sandbox)));
      const answer = operation.answers.find(({ status }) => status === 200);
      if (operation.kind === 'charge' && answer) charges.push((JSON.parse(answer.body) as { id: string }).id);
    }
  };
  const ended = Promise.all(Array.from({ length: clients }, (_, number) => client(number))).then(() => undefined);
  return { operations, ended, stop: () => void (running = false) };
}

function choose(chance: number, key: string, charge?: string): Operation {
  if (chance < 0.25) return newOperation('email', key);
  if (chance < 0.35) return newOperation('decline', key);
  if (chance < 0.6 && charge !== undefined) return newOperation('refund', key, charge);
  return newOperation('charge', key);
}
