import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a provider, or whatever stands in between, does with one request. */
export type Script = (response: ServerResponse) => void;

export interface ReceivedRequest {
  line: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Provider {
  url: URL;
  /** Every HTTP request that arrived: what a client library repeats in silence is seen here. */
  requests: ReceivedRequest[];
}

/** A server that follows `script` for every request. It ends with the test. */
export async function startProvider(script: Script): Promise<Provider> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      requests.push({ line: `${request.method ?? ''} ${request.url ?? ''}`, headers: request.headers, body });
      script(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), requests };
}

const text =
  (status: number, body: string, headers: Record<string, string> = {}): Script =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
  };

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Script =>
  text(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });

/** The ways in which an answer gets lost; `body` is what would have been answered. */
export const lost = {
  drop: (): Script => (response) => response.destroy(),
  hang: (): Script => () => undefined,
  'cut short of its length': (body: unknown): Script => {
    const whole = JSON.stringify(body);
    return (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
      response.write(whole.slice(0, whole.length / 2), () => response.destroy());
    };
  },
  'cut clean': (body: unknown): Script => {
    const whole = JSON.stringify(body);
    return text(200, whole.slice(0, whole.length / 2), { 'content-type': 'application/json' });
  },
  'stalled half-way': (body: unknown): Script => {
    const whole = JSON.stringify(body);
    return (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(whole.slice(0, whole.length / 2));
    };
  },
  trickle: (): Script => (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  },
} satisfies Record<string, (body: unknown) => Script>;

/** Those that only end by the client's own deadline. */
export const endless = new Set(['hang', 'stalled half-way', 'trickle']);

/** What others than the provider say on its behalf, or the provider without its object. */
export const nobodysWord: [string, Script][] = [
  ['a proxy: HTML 502', text(502, '<html>Bad gateway</html>')],
  ['a proxy: JSON 502', json(502, { statusCode: 502, message: 'Bad gateway' })],
  ['a proxy: HTML 403', text(403, '<html>Forbidden</html>')],
  ['a proxy: 429 without a word', text(429, '')],
  ['a proxy: HTML 200', text(200, '<html>Log in to the Wi-Fi</html>')],
  ['an empty 200', text(200, '')],
  ['204', text(204, '')],
  ['404 without an error object', json(404, { message: 'no Route matched with those values' })],
  ['null', json(200, null)],
  ['a string', json(200, 'ok')],
  ['a number', json(200, 1)],
  ['a list', json(200, [])],
  ['an empty object', json(200, {})],
  ['an empty error', json(400, { error: {} })],
  ['null with 422', json(422, null)],
  ['null with 500', json(500, null)],
];
