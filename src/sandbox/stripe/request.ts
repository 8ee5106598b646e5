import type { ServiceRequest } from '../service.js';
import { readText } from '../text.js';
import type { Account } from './authentication.js';
import { fingerprint } from './canonical.js';
import { invalidRequest } from './errors.js';
import { parseForm, type Tree } from './form.js';
import { route, type Route } from './routes.js';
import { readVersion } from './version.js';

/** A request that has an endpoint and readable parameters. */
export interface Asked extends Route {
  account: Account;
  path: string;
  tree: Tree;
  /** Fingerprint of the tree, for the idempotency layer. */
  parameters: string;
  /** Of a POST; on GET and DELETE the header has no effect (https://docs.stripe.com/api/idempotent_requests). */
  key: string | null;
}

export function readRequest(request: ServiceRequest, account: Account): Asked {
  const { method, path, headers } = request;
  const found = route(method, path);
  readVersion(headers['stripe-version'], found.endpoint.list === 'search_result');
  const type = headers['content-type']?.toLowerCase();
  if (request.body.length > 0 && type !== undefined && !type.startsWith('application/x-www-form-urlencoded')) {
    throw invalidRequest(
      'Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any ' +
        'questions, we can help at https://support.stripe.com/.',
    );
  }
  const body = readText(request.body);
  if (body === undefined) throw invalidRequest('Invalid request: the body is not valid UTF-8.');
  const tree = parseForm([request.query, body].filter(Boolean).join('&'));
  const header = headers['idempotency-key'];
  const key = method === 'POST' && header !== undefined ? String(header) : null;
  return { ...found, account, path, tree, parameters: fingerprint(tree), key };
}
