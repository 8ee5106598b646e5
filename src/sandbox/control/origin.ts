import type { IncomingHttpHeaders } from 'node:http';

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Which names this server may be called by: loopback, the address it is bound to, and what the operator allows, whatever
 * their case and port. Throws if one of these is no name.
 */
export function trustedHosts(boundHost: string, allowed: readonly string[]): ReadonlySet<string> {
  const bound = boundHost.includes(':') ? `[${boundHost}]` : boundHost;
  const names = allowed.map((name) => hostname('SANDBOX_ALLOWED_HOSTS', name));
  return new Set([...loopback, hostname('The host', bound), ...names]);
}

function hostname(what: string, name: string): string {
  const url = `http://${name}`;
  if (/[/@?#\\\s]/.test(name) || !URL.canParse(url))
    throw new Error(`${what}: ${JSON.stringify(name)} is no host name`);
  return new URL(url).hostname;
}

/**
 * Any web page can make a browser send requests to a port on this machine. Its `Origin` gives it away; and a page whose
 * name was re-pointed to 127.0.0.1 after it was loaded (DNS rebinding) still says its own name in `Host`.
 * Programs such as curl send no `Origin`.
 */
export function isTrusted({ host, origin }: IncomingHttpHeaders, trusted: ReadonlySet<string>): boolean {
  return isTrustedUrl(`http://${host ?? ''}`, trusted) && (origin === undefined || isTrustedUrl(origin, trusted));
}

function isTrustedUrl(url: string, trusted: ReadonlySet<string>): boolean {
  return URL.canParse(url) && trusted.has(new URL(url).hostname);
}
