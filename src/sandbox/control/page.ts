import { readFileSync } from 'node:fs';
import type { Route } from './routes.js';

const folder = new URL('../page/', import.meta.url);

/** Nothing from elsewhere: the page works without a network, and what a request contained cannot run in it. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const files = {
  '/': ['index.html', 'text/html'],
  '/theme.css': ['theme.css', 'text/css'],
  '/page.css': ['page.css', 'text/css'],
  '/page.js': ['page.js', 'text/javascript'],
  '/calls.js': ['calls.js', 'text/javascript'],
  '/show.js': ['show.js', 'text/javascript'],
  '/items.js': ['items.js', 'text/javascript'],
  '/unusual.js': ['unusual.js', 'text/javascript'],
  '/element.js': ['element.js', 'text/javascript'],
} as const;

/** The page as it lies in `src/sandbox/page`: no build step, and a change is there with the next reload. */
export function pageRoutes(): Record<string, Route> {
  const routes = Object.entries(files).map(([path, [file, type]]): [string, Route] => [
    `GET ${path}`,
    () => ({
      headers: { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': contentSecurityPolicy },
      body: readFileSync(new URL(file, folder), 'utf8'),
    }),
  ]);
  return Object.fromEntries(routes);
}
