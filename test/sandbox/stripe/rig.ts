import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import Stripe from 'stripe';
import { expect, onTestFinished } from 'vitest';
import { createClock, type SandboxClock } from '../../../src/sandbox/clock.js';
import { closeDatabase, openDatabase } from '../../../src/sandbox/database.js';
import { createGroupCommit } from '../../../src/sandbox/group-commit.js';
import type { Injection, ServiceAnswer } from '../../../src/sandbox/service.js';
import { createSettings, type SettingsStore } from '../../../src/sandbox/settings.js';
import { createStripeService, type StripeService } from '../../../src/sandbox/stripe/index.js';
import { complaintsOf, witness, type Exchange } from '../../contract/witness.js';

export interface Rig {
  service: StripeService;
  clock: SandboxClock;
  settings: SettingsStore;
  url: string;
  /** The official client, which repeats nothing by itself. */
  stripe: Stripe;
  clientFor: (key: string) => Stripe;
  /** Sends exactly this, for what the client hides. */
  send: (method: string, path: string, body?: string, headers?: Record<string, string>) => Promise<RawAnswer>;
  /** What happens inside Stripe to the next request. */
  injectNext: (injection: Injection) => void;
  /** How the service classified each request so far. */
  answers: ServiceAnswer[];
  stop: () => Promise<void>;
}

/** What the tests look at in answers of every kind. */
interface Body {
  id?: string;
  status?: string;
  amount?: number;
  deleted?: boolean;
  data?: { id: string }[];
  error?: { type: string; message: string; code?: string; decline_code?: string; param?: string };
}

interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  json: Body;
}

const testKey = 'sk_test_rig';

/** The simulator behind a plain HTTP server; the test that started it stops it. */
export async function startRig(file = ':memory:'): Promise<Rig> {
  const database = openDatabase(file);
  const clock = createClock(database);
  const settings = createSettings(database);
  const service = createStripeService({ database, clock, settings, commit: createGroupCommit(database) });
  const answers: ServiceAnswer[] = [];
  const exchanges: Exchange[] = [];
  let injection: Injection = {};

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const now = injection;
    injection = {};
    const { method = 'GET', headers } = request;
    const body = await buffer(request);
    const asked = { method, path: pathname, query: search.slice(1) };
    const answer = await service.handle({ ...asked, headers, body }, now);
    answers.push(answer.answer);
    const { status, body: text } = answer;
    exchanges.push({ ...asked, body: body.toString(), status, answer: text });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopped ??= new Promise((closed) => {
      server.closeAllConnections();
      server.close(() => {
        closeDatabase(database);
        closed();
      });
    }));
  onTestFinished(stop);
  // Afterwards, for it takes its time, and some tests are about time.
  if (witness) onTestFinished(async () => expect(await complaintsOf(exchanges), 'by the contract').toEqual([]));

  const clientFor = (key: string): Stripe =>
    new Stripe(key, {
      host: '127.0.0.1',
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient(),
    });

  return {
    ...{ service, clock, settings, url, answers, clientFor, stop },
    stripe: clientFor(testKey),
    injectNext: (next) => void (injection = next),
    send: async (method, path, body, headers = {}) => {
      const form = body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
      const answer = await fetch(url + path, {
        method,
        headers: { Authorization: `Bearer ${testKey}`, ...form, ...headers },
        ...(body !== undefined && { body }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, json: JSON.parse(text) as Body };
    },
  };
}

/** The parameter is no longer among the client's types, but is what tells Stripe that nobody needs a `return_url`. */
export const cardOnly = { payment_method_types: ['card'] };

/** A charge as the tools of this repository make it. */
export const charge = {
  amount: 2500,
  currency: 'usd',
  payment_method: 'pm_card_visa',
  ...cardOnly,
  confirm: true,
};

/** The same as a form. */
export const chargeForm =
  'amount=2500&currency=usd&payment_method=pm_card_visa&payment_method_types[]=card&confirm=true';

/** The error that a call of the client must end with. */
export async function errorOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof Stripe.errors.StripeError) return error;
  throw error;
}
