import type { Answer } from '../gateway/exchange.js';
import { resendError } from './errors.js';
import type { Outbox } from './outbox.js';

const list = (value: string | string[] | null | undefined): string[] | null =>
  value === null || value === undefined ? null : [value].flat();

/** `GET /emails/:id`: https://resend.com/docs/api-reference/emails/retrieve-email */
export function retrieve(outbox: Outbox, account: string, id: string): Answer {
  const found = outbox.find(account, id);
  if (!found) return resendError(404, 'not_found', 'Email not found');
  const { message, at } = found;
  const email = {
    object: 'email',
    id,
    from: message.from,
    to: list(message.to),
    cc: list(message.cc),
    bcc: list(message.bcc),
    reply_to: list(message.reply_to),
    subject: message.subject,
    html: message.html ?? null,
    text: message.text ?? null,
    created_at: at,
    scheduled_at: null,
    last_event: 'delivered',
  };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(email) };
}
