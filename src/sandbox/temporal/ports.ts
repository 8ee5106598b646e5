import { createServer } from 'node:net';
import { TemporalProblem } from './problem.js';

/** The only address that is listened on: a development server has no authentication. */
export const HOST = '127.0.0.1';

const ANY = 0; // lets the operating system choose

/** A port that must be had, one that would be nice, or (`undefined`) any. */
export type PortWish = { exactly: number } | { preferably: number } | undefined;

/**
 * A port that is free now. It may be gone when the server takes it, so whoever starts the server must be ready to come
 * back for another one.
 */
export async function choosePort(wish: PortWish, option: string, log: (line: string) => void): Promise<number> {
  if (wish && 'exactly' in wish) {
    if (await tryListening(wish.exactly)) return wish.exactly;
    throw new TemporalProblem(`port ${wish.exactly} is in use: free it, or choose another one with ${option}`);
  }
  const preferred = wish && (await tryListening(wish.preferably));
  if (preferred) return preferred;
  const port = await tryListening(ANY);
  if (!port) throw new TemporalProblem(`no free port on ${HOST}`);
  if (wish) log(`port ${wish.preferably} is in use, taking ${port}`);
  return port;
}

/** The port, if it can be listened on. */
function tryListening(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, HOST, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
