import { request as requestHttp, type IncomingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ServiceRequest } from '../service.js';

/** Longer than any client here waits, Stripe's own 80 s included: the caller gives up first, as without a gateway. */
const timeoutMs = 100_000;

/** Concern one connection, not the message (RFC 9110, 7.6.1); `host` and lengths are set anew. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
]);

export interface UpstreamAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends a request on, whole and with the caller's own credentials, and reads the answer whole. */
export function forward(base: URL, { method, path, query, headers, body }: ServiceRequest): Promise<UpstreamAnswer> {
  const send = base.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // Host and path apart: as one URL, a path such as `//evil.example/` would name another host, and get the credentials.
    const outgoing = send({
      protocol: base.protocol,
      hostname: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port,
      method,
      path: base.pathname.replace(/\/$/, '') + path + (query && `?${query}`),
      // No kept connections: one that the upstream closes just now would look like a lost answer that nobody ordered.
      agent: false,
      headers: {
        ...endToEnd(headers),
        // The answer may have to be cut in the middle of its JSON, which a compressed one does not have.
        'accept-encoding': 'identity',
        ...(body.length > 0 && { 'content-length': body.length }),
      },
      signal: AbortSignal.timeout(timeoutMs),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: incoming.statusCode ?? 0, headers: endToEnd(incoming.headers), body: text });
      });
    });
    outgoing.end(body);
  });
}

function endToEnd(headers: IncomingHttpHeaders): Record<string, string> {
  // What `Connection` names is meant for this connection, too.
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const kept = Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !named.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
