import { Context } from '@temporalio/activity';
import { once, type OnceDeps, type Operation } from '../src/activities/once.js';
import type { Claim } from '../src/ledger/action-record.js';

type Sms = { to: string; text: string };

const smsOperation = (gateway: string, timeout: number, sms: Sms): Operation<Sms, { id: string }> => ({
  request: sms,
  account: null,
  async ask(request, key) {
    try {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const signal = AbortSignal.timeout(timeout);
      const reply = await fetch(gateway, { method: 'POST', headers, body: JSON.stringify(request), signal });
      const { id, message = reply.statusText } = (await reply.json()) as { id?: string; message?: string };
      if (reply.ok && id) return { kind: 'succeeded', result: { id }, reference: id, replayed: false };
      const refusal = [409, 429].includes(reply.status) ? 'not_now' : 'refused';
      const kind = reply.status >= 400 && reply.status < 500 ? refusal : 'ambiguous';
      return { kind, error: { type: 'sms', message }, replayed: false };
    } catch (error) {
      // No answer, half of one, or not the provider's: the message may be on its way.
      return { kind: 'ambiguous', error: { type: 'sms', message: String(error) }, replayed: false };
    }
  },
});

export function createSendSms(deps: OnceDeps, gateway: string) {
  return ({ sms, ...step }: { sms: Sms } & Omit<Claim, 'request' | 'account' | 'attemptScheduledAt'>) => {
    const { currentAttemptScheduledTimestampMs: attemptScheduledAt } = Context.current().info;
    const operation = smsOperation(gateway, deps.requestTimeout, sms);
    return once(deps, { ...step, attemptScheduledAt }, operation);
  };
}
