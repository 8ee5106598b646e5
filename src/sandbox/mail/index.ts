import type { SandboxClock } from '../clock.js';
import type { SandboxDatabase } from '../database.js';
import type { Answer } from '../gateway/exchange.js';
import type { Commit } from '../group-commit.js';
import type { Service, ServiceResponse } from '../service.js';
import type { SettingsStore } from '../settings.js';
import { authenticate } from './authentication.js';
import { mailErrors, notModelled } from './errors.js';
import { createMailKeys } from './idempotency.js';
import { createOutbox, type Email } from './outbox.js';
import { createRateLimit } from './rate-limit.js';
import { retrieve } from './retrieve.js';
import { send } from './send.js';

export interface MailDependencies {
  database: SandboxDatabase;
  clock: SandboxClock;
  settings: SettingsStore;
  commit: Commit;
}

export interface Mailbox extends Service {
  effects(): { emails: Email[] };
  repeatedKeys(): string[];
  reset(): void;
}

/**
 * The wire protocol of the Resend e-mail API, as far as sending needs it: `POST /emails` and `GET /emails/:id`.
 * Everything that is accepted counts as delivered.
 */
export function createMailbox({ database, clock, settings, commit }: MailDependencies): Mailbox {
  const outbox = createOutbox(database);
  const keys = createMailKeys(database, () => settings.current().neverPrune);
  const withinRate = createRateLimit(() => settings.current().rateLimit);
  const context = { commit, clock, settings, outbox, keys };
  const rejected = (answer: Answer): ServiceResponse => ({ ...answer, answer: 'rejected' });

  return {
    async handle(request, injection = {}, onCommit = () => undefined) {
      const { method, path } = request;
      const sends = method === 'POST' && path === '/emails';
      const caller = authenticate(request.headers, sends);
      if ('refusal' in caller) return rejected(caller.refusal);
      if (!withinRate(clock.now())) return rejected(mailErrors.rateLimit());

      if (sends) return send(context, caller.account, request, injection, onCommit);
      const id = /^\/emails\/([^/]+)$/.exec(path)?.[1];
      if (method !== 'GET' || id === undefined) return rejected(notModelled(method, path));
      return { ...retrieve(outbox, caller.account, id), answer: 'executed' };
    },
    effects: () => ({ emails: outbox.list() }),
    repeatedKeys: () => outbox.repeatedKeys(),
    reset() {
      outbox.reset();
      keys.reset();
    },
  };
}
