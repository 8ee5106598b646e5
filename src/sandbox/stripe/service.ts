import type { SandboxClock } from '../clock.js';
import type { SandboxDatabase } from '../database.js';
import {
  Forgotten,
  type Injection,
  type OnCommit,
  type Service,
  type ServiceRequest,
  type ServiceResponse,
} from '../service.js';
import type { SettingsStore } from '../settings.js';
import { authenticate } from './authentication.js';
import { createTruth, type StripeTruth } from './effects.js';
import { StripeError, serverError } from './errors.js';
import { createExecution } from './execution.js';
import type { Commit } from '../group-commit.js';
import { createIdempotencyLayer } from './idempotency.js';
import { newId } from './ids.js';
import { createRateLimit } from './rate-limit.js';
import { readRequest } from './request.js';
import { refusal, responseTo } from './response.js';

export interface StripeService extends Service, StripeTruth {
  /** Forgets every object and every key. */
  reset(): void;
}

/** Stripe's v1 API as far as card payments need it: the order of its checks, from the outside in. */
export function createStripeService(deps: {
  database: SandboxDatabase;
  clock: SandboxClock;
  settings: SettingsStore;
  commit: Commit;
}): StripeService {
  const { database, clock, settings, commit } = deps;
  const now = (): number => clock.now();
  const rateLimit = createRateLimit(now, () => settings.current().rateLimit);
  const execution = createExecution(database, commit, now, () => settings.current().searchLagMs);
  const keys = createIdempotencyLayer(database, commit, now, () => settings.current().neverPrune);
  const truth = createTruth(database);

  const answer = async (
    request: ServiceRequest,
    requestId: string,
    injection: Injection,
    onCommit?: OnCommit,
  ): Promise<ServiceResponse> => {
    const account = authenticate(request.headers);
    rateLimit.admit(account.id);
    const asked = readRequest(request, account);
    const begin = () => execution.begin(asked, injection, onCommit);
    if (asked.key === null || settings.current().ignoreKeys) {
      const done = await execution.run(begin());
      return responseTo(request, requestId, 'executed', done);
    }
    const {
      account: { space },
      key,
      path,
      parameters,
    } = asked;
    const done = await keys.answer({ account: space, key, path, parameters, requestId }, begin);
    return responseTo(request, requestId, done.replayed ? 'replayed' : 'executed', done);
  };

  return {
    async handle(request, injection = {}, onCommit) {
      const requestId = newId.request();
      try {
        return await answer(request, requestId, injection, onCommit);
      } catch (error) {
        if (error instanceof Forgotten) throw error;
        // Anything else is a fault of the sandbox; what it had begun is rolled back, and the process must live on.
        if (!(error instanceof StripeError)) console.error('The Stripe simulator failed:', error);
        return refusal(request, requestId, error instanceof StripeError ? error : serverError());
      }
    },
    effects: () => {
      execution.settle();
      return truth.effects();
    },
    repeatedKeys: () => truth.repeatedKeys(),
    reset: () => {
      keys.reset();
      database.exec('DELETE FROM stripe_objects; DELETE FROM stripe_past');
    },
  };
}
