import { z } from 'zod';
import { fingerprint } from '../../plan/fingerprint.js';
import { resendError } from './errors.js';
import type { Answer } from '../gateway/exchange.js';
import { readText } from '../text.js';

/** As Resend has it: https://resend.com/docs/api-reference/emails/send-email */
const maxRecipients = 50;

/** `ada@example.com` or `Ada <ada@example.com>`. No control characters: a line break would start a header of its own. */
const addressPattern = /^(?:[^\p{Cc}<>]*<[^\s\p{Cc}<>@]+@[^\s\p{Cc}<>@]+>|[^\s\p{Cc}<>@]+@[^\s\p{Cc}<>@]+)$/u;

const address = z.string().regex(addressPattern);
const addresses = z.union([address, z.array(address).min(1).max(maxRecipients)]);

const addressText = 'The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.';

/** Fields that the sandbox has no use for (attachments, tags, …) are let through, but not kept. */
const messageSchema = z.object({
  from: address,
  to: addresses,
  subject: z.string().regex(/^\P{Cc}*$/u),
  cc: addresses.nullish(),
  bcc: addresses.nullish(),
  reply_to: addresses.nullish(),
  html: z.string().nullish(),
  text: z.string().nullish(),
});

export type Message = z.infer<typeof messageSchema>;

const missing = (field: string): Answer => resendError(422, 'missing_required_field', `Missing \`${field}\` field.`);
const invalid = (message: string): Answer => resendError(422, 'validation_error', message);

const explanations: Record<string, string> = {
  subject: 'Invalid `subject` field. Line breaks and control characters are not allowed.',
  html: 'Invalid `html` field. It must be a string.',
  text: 'Invalid `text` field. It must be a string.',
};

/** The message to send and the fingerprint of the whole payload, or Resend's refusal. Nothing has happened yet, and nothing is saved under the key. */
export function parseMessage(body: Buffer): { message: Message; payload: string } | { refusal: Answer } {
  let json: unknown;
  let payload: string;
  try {
    json = JSON.parse(readText(body) ?? '');
    payload = fingerprint(json);
  } catch {
    // Not JSON, not even text, or nested so deeply that walking through it would exhaust the stack.
    return { refusal: resendError(400, 'validation_error', 'The request body is not valid JSON.') };
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { refusal: resendError(400, 'validation_error', 'The request body must be a JSON object.') };
  }
  const given = json as Record<string, unknown>;
  const absent = ['from', 'to', 'subject'].find((field) => isEmpty(given[field]));
  if (absent) return { refusal: missing(absent) };
  if (isEmpty(given['html']) && isEmpty(given['text'])) {
    return { refusal: resendError(422, 'missing_required_field', 'Missing `html` or `text` field.') };
  }
  const parsed = messageSchema.safeParse(json);
  if (parsed.success) return { message: parsed.data, payload };
  const field = String(parsed.error.issues[0]?.path[0]);
  return { refusal: invalid(explanations[field] ?? `Invalid \`${field}\` field. ${addressText}`) };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
