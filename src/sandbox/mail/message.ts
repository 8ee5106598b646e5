import { fingerprint } from '../../plan/fingerprint.js';
import { readText } from '../text.js';
import type { Answer } from '../gateway/exchange.js';
import { addressProblem } from './address.js';
import { resendError } from './errors.js';

/** What is kept of a message. `to` and its like are as they were sent: a string, or an array of several. */
export interface Message {
  from: string;
  to: string | string[];
  subject: string;
  cc?: string | string[] | null;
  bcc?: string | string[] | null;
  reply_to?: string | string[] | null;
  html?: string | null;
  text?: string | null;
}

/** As Resend has it: https://resend.com/docs/api-reference/emails/send-email */
const maxRecipients = 50;

type Check = (value: unknown, field: string) => string | undefined;

const string: Check = (value, field) =>
  typeof value === 'string' ? undefined : `The \`${field}\` field must be a \`string\`.`;

const oneLine: Check = (value, field) => {
  if (typeof value !== 'string') return string(value, field);
  const [control] = /\p{Cc}/u.exec(value) ?? [];
  return control && `The \`${JSON.stringify(control).slice(1, -1)}\` is not allowed in the \`${field}\` field.`;
};

const address: Check = (value, field) => {
  if (typeof value !== 'string') return string(value, field);
  const problem = addressProblem(value);
  return problem && `Invalid \`${field}\` field. ${problem}`;
};

const addresses: Check = (value, field) => {
  if (!Array.isArray(value)) return address(value, field);
  // Resend's own text is not known.
  if (value.length > maxRecipients)
    return `Invalid \`${field}\` field. There can be at most ${maxRecipients} addresses.`;
  return value.map((item) => address(item, field)).find((problem) => problem !== undefined);
};

/** Fields that the sandbox has no use for (attachments, tags, …) are let through, but not kept. */
const checks: Record<keyof Message, Check> = {
  from: address,
  to: addresses,
  subject: oneLine,
  cc: addresses,
  bcc: addresses,
  reply_to: addresses,
  html: string,
  text: string,
};

const missing = (fields: string): Answer => resendError(422, 'missing_required_field', `Missing ${fields} field.`);
const invalid = (message: string): Answer => resendError(422, 'validation_error', message);

/** Its html and subject would come from Resend's store: what would be sent is not known here. */
const templateText = 'The sandbox does not model templates: send `subject` and `html` or `text` instead of `template`.';

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
  const refusal = refusalOf(given);
  if (refusal) return { refusal };
  const kept = Object.keys(checks).map((field) => [field, given[field]]);
  return { message: Object.fromEntries(kept) as Message, payload };
}

function refusalOf(given: Record<string, unknown>): Answer | undefined {
  if (!isEmpty(given['template'])) return invalid(templateText);
  const absent = ['from', 'to', 'subject'].find((field) => isEmpty(given[field]));
  if (absent) return missing(`\`${absent}\``);
  if (isEmpty(given['html']) && isEmpty(given['text'])) return missing('`html` or `text`');
  for (const [field, check] of Object.entries(checks)) {
    const value = given[field];
    const problem = value === undefined || value === null ? undefined : check(value, field);
    if (problem) return invalid(problem);
  }
  return undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
