import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { createClock } from '../../../src/sandbox/clock.js';
import { closeDatabase, openDatabase } from '../../../src/sandbox/database.js';
import { faultRuleSchema, type FaultRule, type ServiceName } from '../../../src/sandbox/gateway/fault-rule.js';
import { createFaultRules } from '../../../src/sandbox/gateway/fault-rules.js';
import { createRequestLog } from '../../../src/sandbox/gateway/request-log.js';
import { createGateway } from '../../../src/sandbox/gateway/server.js';
import { stripeErrors } from '../../../src/sandbox/gateway/stripe-errors.js';
import { createGroupCommit } from '../../../src/sandbox/group-commit.js';
import { listen, shut } from '../../../src/sandbox/listen.js';
import { mailErrors } from '../../../src/sandbox/mail/errors.js';
import type { Service, ServiceRequest } from '../../../src/sandbox/service.js';
import { heldDelays } from '../../rig/held-delays.js';

/** A provider that only counts: what the gateway does to its answers can be seen apart from what a provider does. */
function countingService(): Service & { commits: string[]; requests: ServiceRequest[] } {
  const commits: string[] = [];
  const requests: ServiceRequest[] = [];
  return {
    commits,
    requests,
    async handle(request, injection = {}, onCommit = () => undefined) {
      requests.push(request);
      await injection.delay?.();
      if (injection.savedFailure !== 'instead') commits.push(String(request.headers['idempotency-key']));
      onCommit();
      const status = injection.savedFailure ? 500 : 200;
      const body = JSON.stringify({ id: 'pi_1', status: 'succeeded', number: commits.length });
      return { status, body, headers: { 'content-type': 'application/json' }, answer: 'executed' };
    },
  };
}

export interface Rig {
  port: number;
  url: string;
  service: ReturnType<typeof countingService>;
  /** Lets the requests go on that a fault holds with `untilReleased`. */
  release(): Promise<void>;
  addFault(rule: Omit<FaultRule, 'service' | 'match'> & Partial<FaultRule>): void;
  /** How many are open, on the gateway's side. */
  connections: () => Promise<number>;
  entries: ReturnType<typeof createRequestLog>['list'];
  close(): Promise<void>;
}

export async function startGateway({
  name = 'stripe',
  file = ':memory:',
}: { name?: ServiceName; file?: string } = {}): Promise<Rig> {
  const database = openDatabase(file);
  const rules = createFaultRules(database);
  const requests = createRequestLog(database, createClock(database));
  const service = countingService();
  const commit = createGroupCommit(database);
  const errors = name === 'stripe' ? stripeErrors : mailErrors;
  const { delay, release, end } = heldDelays();
  const server = createGateway({ name, service, errors, rules, requests, database, commit, delay, log: console.error });
  const port = await listen(server, '127.0.0.1', 0, 'test');
  const close = async (): Promise<void> => {
    if (!database.open) return;
    end();
    await shut(server);
    closeDatabase(database);
  };
  onTestFinished(close);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    service,
    release,
    addFault: (rule) => void rules.add(faultRuleSchema.parse({ service: name, match: 'POST /charge', ...rule })),
    connections: () => promisify(server.getConnections.bind(server))(),
    entries: () => requests.list(),
    close,
  };
}

/** One keyed POST by the client that most programs use. */
export function post(rig: Rig, key = 'k', init: RequestInit = {}): Promise<Response> {
  const headers = { 'idempotency-key': key, authorization: 'Bearer sk_test_secret' };
  return fetch(`${rig.url}/charge`, { method: 'POST', headers, body: 'amount=2500', ...init });
}

/** The wire itself: what was received so far, and whether the other side has ended. */
export interface Wire {
  socket: Socket;
  text: () => string;
  ended: Promise<void>;
  /** Resolves as soon as what was received satisfies `condition`. */
  until(condition: (text: string) => boolean): Promise<string>;
}

export function openWire(port: number): Wire {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  const listeners = new Set<() => void>();
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    for (const listener of listeners) listener();
  });
  socket.on('error', () => undefined);
  return {
    socket,
    text: () => received,
    ended: new Promise((resolve) => socket.once('close', () => resolve())),
    until: (condition) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (condition(received)) resolve(received);
        };
        listeners.add(check);
        check();
      }),
  };
}

export const rawPost = (key: string, body = 'amount=2500', path = '/charge'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nIdempotency-Key: ${key}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
