import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, shut } from '../../src/sandbox/listen.js';
import { forward, type UpstreamAnswer } from '../../src/sandbox/upstream/forward.js';

const host = '127.0.0.1';

export interface Wire {
  url: string;
  close(): Promise<void>;
}

/** What is done to requests and answers on their way. Where the gateway's faults take their time, these wait for a test. */
export interface OnTheWay {
  request?: (path: string) => Promise<void>;
  answer?: (path: string, answer: UpstreamAnswer) => UpstreamAnswer | Promise<UpstreamAnswer>;
}

/** A way to the provider at `target` that a test can hold. */
export async function layWire(target: string, onTheWay: OnTheWay): Promise<Wire> {
  const server = createServer((request, response) => {
    // A worker that has given up is not told anything.
    pass(new URL(target), onTheWay, request, response).catch(() => response.destroy());
  });
  const port = await listen(server, host, 0, 'wire');
  return { url: `http://${host}:${port}`, close: () => shut(server) };
}

async function pass(
  target: URL,
  { request: onRequest, answer: onAnswer }: OnTheWay,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = 'GET', url = '/', headers } = request;
  const [path = '/', query = ''] = url.split('?');
  await onRequest?.(path);
  const answer = await forward(target, { method, path, query, headers, body: Buffer.concat(chunks) });
  const { status, headers: answered, body } = (await onAnswer?.(path, answer)) ?? answer;
  response.writeHead(status, { ...answered, 'content-length': Buffer.byteLength(body) }).end(body);
}

export interface Hold {
  /** Resolves when something is held. */
  reached: Promise<void>;
  open(): void;
  /** To be awaited by what is to be held. */
  pass(): Promise<void>;
}

export function createHold(): Hold {
  const [reached, arrive] = signal();
  const [opened, open] = signal();
  return {
    ...{ reached, open },
    pass() {
      arrive();
      return opened;
    },
  };
}

function signal(): [Promise<void>, () => void] {
  let give: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (give = resolve));
  return [promise, () => give()];
}
