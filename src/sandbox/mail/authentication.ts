import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../gateway/exchange.js';
import { resendError } from './errors.js';

/** Whose mail it is. Every `re_…` key is welcome and stands for an account of its own; the key itself is not kept. */
export function authenticate({ authorization }: IncomingHttpHeaders): { account: string } | { refusal: Answer } {
  if (!authorization) {
    return { refusal: resendError(401, 'missing_api_key', 'Missing API key in the authorization header.') };
  }
  const apiKey = /^Bearer (re_\S+)$/i.exec(authorization)?.[1];
  if (!apiKey) return { refusal: resendError(403, 'invalid_api_key', 'API key is invalid.') };
  return { account: createHash('sha256').update(apiKey).digest('hex') };
}
