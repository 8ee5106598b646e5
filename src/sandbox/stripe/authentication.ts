import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { StripeError } from './errors.js';

/** Who asks. `space` separates everything: objects and idempotency keys of one are invisible to all others. */
export interface Account {
  id: string;
  space: string;
}

/**
 * Any well-formed test key is good, and each is an account of its own; a secret and a restricted key that share what
 * stands after `_test_` share the account. https://docs.stripe.com/keys
 */
const testKey = /^[sr]k_test_(\w+)$/;

/** How many of an account id's 16 characters tell two keys apart: 64 bits. */
const accountIdLength = 16;

/** As much of a wrong key as Stripe shows: its kind and its last four characters. */
const shownTail = 4;

export function authenticate(headers: IncomingHttpHeaders): Account {
  const key = apiKey(headers.authorization);
  if (!key) throw unauthorized(noKey);
  if (/^[sr]k_live_/.test(key)) throw unauthorized('This sandbox refuses live API keys. Use a test key, sk_test_….');
  if (key.startsWith('pk_')) throw unauthorized(publishableKey, 'secret_key_required');
  const [, name] = testKey.exec(key) ?? [];
  if (!name) throw unauthorized(`Invalid API Key provided: ${masked(key)}`);
  const own = `acct_${createHash('sha256').update(name).digest('hex').slice(0, accountIdLength)}`;
  return onBehalfOf(headers['stripe-account'], own);
}

/** `Stripe-Account` selects a connected account, which shares neither objects nor keys with its platform. */
function onBehalfOf(header: string | string[] | undefined, own: string): Account {
  if (header === undefined || header === own) return { id: own, space: own };
  if (typeof header === 'string' && /^acct_\w+$/.test(header)) return { id: header, space: `${own}/${header}` };
  const message =
    `The provided key does not have access to account '${String(header)}' (or that account does not exist). ` +
    'Application access may have been revoked.';
  throw new StripeError(403, { type: 'invalid_request_error', code: 'account_invalid', message });
}

/** Bearer, or Basic with the key as the user name, which is what `curl -u sk_test_…:` sends. */
function apiKey(authorization = ''): string | undefined {
  const [scheme = '', credentials = ''] = authorization.trim().split(/\s+/);
  if (/^bearer$/i.test(scheme)) return credentials;
  if (/^basic$/i.test(scheme)) return Buffer.from(credentials, 'base64').toString('utf8').split(':')[0];
  return undefined;
}

function masked(key: string): string {
  const kind = /^[a-z]+_(test|live)_/.exec(key)?.[0] ?? '';
  const hidden = Math.max(key.length - kind.length - shownTail, 0);
  return kind + '*'.repeat(hidden) + key.slice(kind.length + hidden);
}

const unauthorized = (message: string, code?: string): StripeError =>
  new StripeError(401, { type: 'invalid_request_error', message, ...(code && { code }) });

const noKey =
  'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth ' +
  "(e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we " +
  'can help at https://support.stripe.com/.';

const publishableKey =
  'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your ' +
  'API keys at https://dashboard.stripe.com/account/apikeys.';
