import { createHash } from 'node:crypto';
import type { Service, ServiceRequest } from '../service.js';
import { classify } from './classify.js';
import { forward, type UpstreamAnswer } from './forward.js';

/**
 * A real provider behind the gateway: the effect really happens there, and the answer is lost on the way back from
 * here. Credentials pass through; they are never written down.
 */
export function createUpstream(base: URL): Service {
  const isRepeat = createRepeatMemory();
  return {
    async handle(request, { delay } = {}) {
      await delay?.();
      const answer = await forward(base, request);
      const became = classify(answer);
      const repeated = became === 'executed' && isRepeat(request, answer);
      return { ...answer, answer: repeated ? 'replayed' : became };
    },
  };
}

/** `what`: whose upstream it is, for the error. */
export function parseUpstream(what: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new Error(`The upstream of ${what} must be an address such as https://api.stripe.com`);
  }
  return url;
}

/** So many keys are remembered; a script of requests that is longer than this is a load test, not a look at replays. */
const memoryLimit = 100_000;

/** Resend does not say that an answer is a replay. But a key that brings the same bytes again was not executed again. */
function createRepeatMemory(): (request: ServiceRequest, answer: UpstreamAnswer) => boolean {
  const seen = new Map<string, string>();
  return ({ method, path, headers }, { status, body }) => {
    const key = headers['idempotency-key'];
    if (method !== 'POST' || key === undefined || status >= 400) return false;
    const name = hash(JSON.stringify([headers.authorization, path, key]));
    const print = hash(body);
    if (seen.get(name) === print) return true;
    if (seen.size >= memoryLimit) seen.clear();
    seen.set(name, print);
    return false;
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
