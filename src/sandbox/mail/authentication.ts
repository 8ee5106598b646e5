import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../gateway/exchange.js';
import { resendError } from './errors.js';

/**
 * Whose mail it is. Every `re_…` key is welcome and stands for an account of its own; the key itself is not kept.
 *
 * Resend's reference of 2026 has the two statuses below, and published answers to wrong keys agree with it. Its older
 * editions have 403 `invalid_api_key`, which the API never sent: github.com/resend/resend-node/pull/617.
 */
export function authenticate(
  { authorization }: IncomingHttpHeaders,
  sends: boolean,
): { account: string } | { refusal: Answer } {
  if (!authorization) return { refusal: resendError(401, 'missing_api_key', 'Missing API Key') };
  const apiKey = /^Bearer (\S+)$/i.exec(authorization)?.[1];
  if (apiKey === undefined) return { refusal: invalidKey(400) };
  // Only the sending endpoints say 401; to all others a key that does not exist is a malformed one.
  if (!/^re_./.test(apiKey)) return { refusal: invalidKey(sends ? 401 : 400) };
  return { account: createHash('sha256').update(apiKey).digest('hex') };
}

const invalidKey = (status: number): Answer => resendError(status, 'validation_error', 'API key is invalid');
