import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { SandboxDatabase } from '../database.js';
import type { Delay } from '../delay.js';
import type { Commit } from '../group-commit.js';
import type { Log } from '../log.js';
import { Forgotten, type Injection, type Service, type ServiceRequest, type ServiceResponse } from '../service.js';
import { createExchange, type Answer, type Exchange } from './exchange.js';
import type { FaultRules } from './fault-rules.js';
import type { ServiceName, StoredFaultRule } from './fault-rule.js';
import { faults } from './faults.js';
import { badGateway, type ProviderErrors } from './provider-errors.js';
import { readBody } from './read-body.js';
import type { RequestLog } from './request-log.js';
import { createTurns } from './turns.js';

/** A request that takes longer than this to arrive is cut off with a 408: nobody holds a connection by dawdling. */
const requestTimeout = 30_000;
const headersTimeout = 10_000;
const connectionsCheckingInterval = 1_000;

/** Longer than the keep-alive of any client here: the only connections that break are those a rule breaks. */
const keepAliveTimeout = 75_000;

export interface GatewayOptions {
  name: ServiceName;
  service: Service;
  errors: ProviderErrors;
  rules: FaultRules;
  requests: RequestLog;
  database: SandboxDatabase;
  commit: Commit;
  delay: Delay;
  log: Log;
}

/**
 *   caller ──request──▶ gateway ──▶ service: effect committed
 *   caller ◀──────╳──── gateway ◀── answer        the answer is lost here, after the commit, where it hurts
 */
export function createGateway(options: GatewayOptions): Server {
  const takeTurn = createTurns();
  const limits = { requestTimeout, headersTimeout, connectionsCheckingInterval, keepAliveTimeout };
  const server = createServer(limits, (request, response) => {
    const { log, database } = options;
    takeTurn(request.socket, () =>
      serve(options, request, response).catch((error: unknown) => {
        // What cannot be written down (a full disk) must not happen, but must not end the process either.
        if (database.open) log('a request could not be logged', { error: String(error) });
        request.socket.destroy();
      }),
    );
  });
  // Node drops what comes after 2,000 headers without a word, the idempotency key too. Their size is limited anyway.
  server.maxHeadersCount = 0;
  return server;
}

async function serve(options: GatewayOptions, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { name, requests, rules, errors, database, commit, delay, log } = options;
  const read = await readBody(incoming);
  if (read === 'aborted') return;
  const tooLarge = read === 'too large';
  const request = toServiceRequest(incoming, tooLarge ? Buffer.alloc(0) : read);
  const key = headerText(request.headers['idempotency-key']);
  const { method, path, body } = request;

  const { entry, rule } = await commit(() => {
    const nth = (): number => requests.count({ service: name, method, path, key }) + 1;
    const rule = tooLarge ? undefined : rules.choose({ service: name, method, path, key, nth });
    return { rule, entry: requests.receive({ service: name, method, path, key, body, fault: rule?.fault ?? null }) };
  }, 'kill');
  const exchange = createExchange(response, delay, (status) => commit(() => requests.sent(entry, status), 'kill'));
  try {
    if (tooLarge) await exchange.send(errors.tooLarge(request));
    else await answer(options, request, { entry, rule, exchange });
  } catch (error) {
    if (!database.open) return; // closed while the service was still at work: there is nobody left to answer
    if (error instanceof Forgotten) return void incoming.socket.destroy();
    log('the service failed', { service: name, method, path, error: String(error) });
    await exchange.send(badGateway);
  }
  await exchange.closed();
}

interface Turn {
  entry: number;
  rule: StoredFaultRule | undefined;
  exchange: Exchange;
}

async function answer(options: GatewayOptions, request: ServiceRequest, turn: Turn): Promise<void> {
  const { rule, exchange, entry } = turn;
  if (!rule) return exchange.send(await ask(options, request, entry, {}));
  const fault = faults[rule.fault];
  if ('instead' in fault) return exchange.send(fault.instead(options.errors, request));
  const injection: Injection = {
    ...('slow' in fault && { delay: () => options.delay(rule.delayMs) }),
    ...('saves' in fault && { savedFailure: fault.saves }),
  };
  const result = await ask(options, request, entry, injection);
  if (!('lose' in fault)) return exchange.send(result);
  await exchange.wait(rule.delayMs);
  await fault.lose(exchange, result);
}

/** The service's answer. What became of the request is in the log before the caller can know. */
async function ask(
  { service, requests, commit }: GatewayOptions,
  request: ServiceRequest,
  entry: number,
  injection: Injection,
): Promise<Answer> {
  let noted = false as boolean; // the compiler does not see that the callback sets it
  const response: ServiceResponse = await service.handle(request, injection, () => {
    if (!requests.answered(entry, 'executed')) throw new Forgotten();
    noted = true;
  });
  // What was committed with the effect is not written again.
  if (!noted || response.answer !== 'executed') await commit(() => requests.answered(entry, response.answer), 'kill');
  return response;
}

function toServiceRequest({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): ServiceRequest {
  // A proxy-style request line (`GET http://host/path`) means the same path.
  const [path = '/', ...query] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  return { method, path: path || '/', query: query.join('?'), headers, body };
}

function headerText(value: string | string[] | undefined): string | null {
  return value === undefined ? null : String(value);
}
