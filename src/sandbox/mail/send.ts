import type { SandboxClock } from '../clock.js';
import type { Answer } from '../gateway/exchange.js';
import type { Commit } from '../group-commit.js';
import type { Injection, OnCommit, ServiceRequest, ServiceResponse } from '../service.js';
import type { SettingsStore } from '../settings.js';
import { internalServerError, mailErrors, resendError } from './errors.js';
import { isValidKey, type KeyUse, type MailKeys, type Outcome } from './idempotency.js';
import { parseMessage, type Message } from './message.js';
import type { Outbox } from './outbox.js';

export interface SendContext {
  commit: Commit;
  clock: SandboxClock;
  settings: SettingsStore;
  outbox: Outbox;
  keys: MailKeys;
}

const json = { 'content-type': 'application/json' };
const rejected = (answer: Answer): ServiceResponse => ({ ...answer, answer: 'rejected' });

/** `POST /emails`: https://resend.com/docs/api-reference/emails/send-email */
export async function send(
  context: SendContext,
  account: string,
  { headers, body }: ServiceRequest,
  injection: Injection,
  onCommit: OnCommit,
): Promise<ServiceResponse> {
  const key = headers['idempotency-key'];
  if (key !== undefined && !isValidKey(String(key))) {
    return rejected(resendError(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.'));
  }
  const parsed = parseMessage(body);
  if ('refusal' in parsed) return rejected(parsed.refusal);

  const delivery: Delivery = {
    account,
    message: parsed.message,
    key: key === undefined ? null : String(key),
    injection,
    onCommit,
  };
  if (delivery.key === null || context.settings.current().ignoreKeys) return deliver(context, delivery);

  const use = { account, key: delivery.key, fingerprint: parsed.payload };
  const before = context.keys.find(use, context.clock.now());
  switch (before) {
    case 'unused':
      return context.keys.hold(use, () => deliver(context, delivery, use));
    case 'in flight':
      return { ...mailErrors.inFlight(), answer: 'in_flight' };
    case 'mismatch':
      return { ...mailErrors.mismatch(), answer: 'mismatch' };
    default:
      return { ...before, headers: json, answer: 'replayed' };
  }
}

interface Delivery {
  account: string;
  message: Message;
  key: string | null;
  injection: Injection;
  onCommit: OnCommit;
}

/** The e-mail and the answer saved under its key are one transaction: neither is ever there without the other. */
async function deliver(context: SendContext, delivery: Delivery, use?: KeyUse): Promise<ServiceResponse> {
  const { commit, clock, outbox, keys } = context;
  const { account, message, key, injection, onCommit } = delivery;
  await injection.delay?.();
  const outcome = await commit((): Outcome => {
    const now = clock.now();
    const id = injection.savedFailure === 'instead' ? undefined : outbox.send(account, message, key, now);
    const outcome: Outcome =
      injection.savedFailure || !id ? internalServerError() : { status: 200, body: JSON.stringify({ id }) };
    if (use) keys.save(use, outcome, now);
    onCommit();
    return outcome;
  });
  return { status: outcome.status, body: outcome.body, headers: json, answer: 'executed' };
}
