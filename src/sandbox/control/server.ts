import { createServer, type IncomingMessage, type Server } from 'node:http';
import { readBody } from '../gateway/read-body.js';
import type { Log } from '../log.js';
import { ControlError } from './input.js';
import { isTrusted } from './origin.js';
import type { Reply, Route } from './routes.js';

export interface ControlOptions {
  routes: Record<string, Route>;
  trusted: ReadonlySet<string>;
  log: Log;
}

/** The control port: JSON in, JSON out, and the page at `/`. */
export function createControl(options: ControlOptions): Server {
  return createServer((request, response) => {
    void reply(options, request).then(({ status, headers, text }) => {
      response.writeHead(status, {
        'cache-control': 'no-store',
        'content-type': 'application/json',
        'x-content-type-options': 'nosniff',
        ...headers,
      });
      response.end(text);
    });
  });
}

interface WrittenReply {
  status: number;
  headers?: Record<string, string>;
  text: string;
}

async function reply({ routes, trusted, log }: ControlOptions, request: IncomingMessage): Promise<WrittenReply> {
  try {
    if (!isTrusted(request.headers, trusted)) {
      throw new ControlError(403, 'Control calls are accepted from this machine only; see SANDBOX_ALLOWED_HOSTS.');
    }
    const { method = '', url = '/' } = request;
    const path = url.split('?')[0] ?? '/';
    const route = routes[`${method} ${path}`];
    if (!route) throw unknownRoute(routes, path);
    const body = await readBody(request);
    if (body === 'too large') throw new ControlError(413, 'The body is too large.');
    return written(await route(body.toString()));
  } catch (error) {
    if (error instanceof ControlError) {
      const { status, message, field } = error;
      return written({ status, body: { error: { message, ...(field && { field }) } } });
    }
    log('a control call failed', { error: String(error) });
    return written({ status: 500, body: { error: { message: 'The sandbox failed; see its log.' } } });
  }
}

/** Throws if it is longer than a string can be: the effects of an attack are. */
function written({ status = 200, headers, body }: Reply): WrittenReply {
  return { status, ...(headers && { headers }), text: typeof body === 'string' ? body : JSON.stringify(body) };
}

function unknownRoute(routes: Record<string, Route>, path: string): ControlError {
  const methods = Object.keys(routes).filter((name) => name.endsWith(` ${path}`));
  if (methods.length === 0) return new ControlError(404, `There is nothing at ${path}.`);
  return new ControlError(405, `${path} takes ${methods.map((name) => name.split(' ')[0]).join(', ')}.`);
}
