import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Delay } from '../delay.js';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The way back to one caller. Nothing here fails when the caller has left: the effect is there all the same. */
export interface Exchange {
  send(answer: Omit<Answer, 'body'> & { body: string | Buffer }): Promise<void>;
  /** The head alone. The body, and whether there ever is one, is the business of whoever calls this. */
  begin(status: number, headers: Record<string, string>): Promise<void>;
  write(bytes: Buffer): void;
  /** Ends the connection, after what was written has gone out. */
  hangUp(): void;
  /** Ends early when the caller leaves or the gateway closes. */
  wait(ms: number): Promise<void>;
  /** Until nothing can be sent any more. */
  closed(): Promise<void>;
  isOpen(): boolean;
}

/** `onStatus` hears of the status before its first byte goes out. */
export function createExchange(
  response: ServerResponse,
  delay: Delay,
  onStatus: (status: number) => Promise<void>,
): Exchange {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const isOpen = (): boolean => !response.closed && response.socket?.destroyed === false;
  const begin: Exchange['begin'] = async (status, headers) => {
    if (!isOpen()) return;
    await onStatus(status);
    if (!isOpen()) return;
    response.writeHead(status, headers);
    response.flushHeaders();
  };
  return {
    begin,
    isOpen,
    async send({ status, headers, body }) {
      await begin(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
      response.end(body);
    },
    write: (bytes) => void response.write(bytes),
    hangUp: () => response.socket?.destroySoon(),
    wait: (ms) => delay(ms, gone.signal),
    async closed() {
      if (isOpen()) await once(response, 'close');
    },
  };
}
