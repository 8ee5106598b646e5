import type { IncomingHttpHeaders } from 'node:http';

/** One HTTP request, read whole. `path` carries no query string; `query` is raw and has no leading `?`. */
export interface ServiceRequest {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * What became of a request at the service. `rejected` means refused before anything was executed or saved under the key
 * (validation, authentication, rate limit).
 */
export type ServiceAnswer = 'executed' | 'replayed' | 'in_flight' | 'mismatch' | 'rejected';

export interface ServiceResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  answer: ServiceAnswer;
}

/** Faults that happen inside the service and not on the wire; the gateway passes them along with the request. */
export interface Injection {
  /** The work waits for this first; the key is in flight meanwhile. */
  delay?: () => Promise<void>;
  /** Stripe stores a 500 under the key: `instead` of executing, or `after` having executed. */
  savedFailure?: 'instead' | 'after';
}

/**
 * Called by a service inside the transaction that commits an effect: the gateway's log entry and the effect become
 * durable together. Otherwise a process killed right after the commit would leave a log that denies what happened.
 * Throws `Forgotten`, which takes the effect back.
 */
export type OnCommit = () => void;

/** The sandbox was reset while a request was on its way: it may leave nothing in the world that is new. */
export class Forgotten extends Error {
  override readonly name = 'Forgotten';
}

/** A service of the outside world: the simulated Stripe, the simulated mailbox, or a real one upstream. */
export interface Service {
  handle(request: ServiceRequest, injection?: Injection, onCommit?: OnCommit): Promise<ServiceResponse>;
}
