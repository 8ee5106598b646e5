import type { Injection, ServiceRequest } from '../service.js';
import { empty200, trickle, truncateClean, truncateLength, truncateStall } from './cut.js';
import type { Answer, Exchange } from './exchange.js';
import type { FaultName } from './fault-names.js';
import { badGateway, type ProviderErrors } from './provider-errors.js';

/** A fault is one of four things: an answer in the service's place, a slow service, a failure that it stores, or a way to lose its answer. */
export type Fault =
  | { instead: (errors: ProviderErrors, request: ServiceRequest) => Answer }
  | { slow: true }
  | { saves: NonNullable<Injection['savedFailure']> }
  | { lose: (exchange: Exchange, answer: Answer) => void | Promise<void> };

export const faults: Record<FaultName, Fault> = {
  drop: { lose: (exchange) => exchange.hangUp() },
  hang: { lose: () => undefined },
  late: { lose: (exchange, answer) => exchange.send(answer) }, // every lost answer waits for the rule's delayMs first
  '502-after': { lose: (exchange) => exchange.send(badGateway) },
  'truncate-clean': { lose: truncateClean },
  'truncate-length': { lose: truncateLength },
  'truncate-stall': { lose: truncateStall },
  'empty-200': { lose: empty200 },
  trickle: { lose: trickle },

  '502-before': { instead: () => badGateway },
  '429': { instead: (errors, request) => errors.rateLimit(request) },
  '400-rate-limit': { instead: (errors, request) => errors.rateLimitAs400(request) },
  'lock-timeout': { instead: (errors, request) => errors.lockTimeout(request) },
  '409': { instead: (errors, request) => errors.inFlight(request) },
  'reject-422': { instead: (errors, request) => errors.rejected(request) },
  '409-mismatch': { instead: (errors, request) => errors.mismatch(request) },

  slow: { slow: true },
  '500-saved': { saves: 'instead' },
  '500-saved-after': { saves: 'after' },
};
