import type { Answer, Exchange } from './exchange.js';

/** Slow enough to be useless, steady enough that a time-out which counts only idle time never fires. */
const trickleIntervalMs = 200;

const firstHalf = (body: string): Buffer => {
  const bytes = Buffer.from(body);
  return bytes.subarray(0, Math.floor(bytes.length / 2));
};

const lengthOf = ({ body }: Answer): Record<string, string> => ({ 'content-length': String(Buffer.byteLength(body)) });

/** Nothing on the wire shows that something is missing: half of the JSON, with the length of half of the JSON. */
export async function truncateClean(exchange: Exchange, { status, headers, body }: Answer): Promise<void> {
  await exchange.send({ status, headers, body: firstHalf(body) });
}

/** The connection ends before the promised length is reached. */
export async function truncateLength(exchange: Exchange, answer: Answer): Promise<void> {
  await truncateStall(exchange, answer);
  exchange.hangUp();
}

/** The connection stays open, and the rest never comes. */
export async function truncateStall(exchange: Exchange, answer: Answer): Promise<void> {
  await exchange.begin(answer.status, { ...answer.headers, ...lengthOf(answer) });
  exchange.write(firstHalf(answer.body));
}

export function empty200(exchange: Exchange, { headers }: Answer): Promise<void> {
  return exchange.send({ status: 200, headers, body: '' });
}

/** One byte at a time; when the answer is used up, blanks, which are legal at the end of JSON and never finish it. */
export async function trickle(exchange: Exchange, { status, headers, body }: Answer): Promise<void> {
  const bytes = Buffer.from(body);
  const blank = Buffer.from(' ');
  await exchange.begin(status, { ...headers, 'transfer-encoding': 'chunked' });
  for (let i = 0; exchange.isOpen(); i += 1) {
    exchange.write(i < bytes.length ? bytes.subarray(i, i + 1) : blank);
    await exchange.wait(trickleIntervalMs);
  }
}
