import { createClock } from './clock.js';
import { createControls, type Controls } from './controls.js';
import { trustedHosts } from './control/origin.js';
import { controlRoutes } from './control/routes.js';
import { createControl } from './control/server.js';
import { realDelay, type Delay } from './delay.js';
import { closeDatabase, inMemory, openDatabase } from './database.js';
import { createFaultRules } from './gateway/fault-rules.js';
import { createGroupCommit } from './group-commit.js';
import { createRequestLog } from './gateway/request-log.js';
import { createGateway } from './gateway/server.js';
import { stripeErrors } from './gateway/stripe-errors.js';
import { listen, shut } from './listen.js';
import type { Log } from './log.js';
import { mailErrors } from './mail/errors.js';
import { createMailbox } from './mail/index.js';
import { createSettings } from './settings.js';
import { createStripeService } from './stripe/index.js';
import { createUpstream, parseUpstream } from './upstream/index.js';

export type { Effects } from './effects.js';
export type { FaultName } from './gateway/fault-names.js';
export type { FaultRule, StoredFaultRule } from './gateway/fault-rule.js';
export type { RequestEntry } from './gateway/request-log.js';

export interface SandboxOptions {
  /** Loopback unless told otherwise: whoever reaches these ports may do everything. */
  host?: string;
  /** Names, besides loopback and `host`, by which the control port may be called. */
  allowedHosts?: readonly string[];
  /** 0, the default, is any free port. */
  port?: number;
  stripePort?: number;
  mailPort?: number;
  /** The file that keeps the state; without one it is gone at the end. */
  database?: string;
  /** Real services to stand in front of, instead of being them: `https://api.stripe.com`. */
  stripeUpstream?: string;
  mailUpstream?: string;
  /** How `delayMs` is waited for. A test that must not depend on time ends the wait itself. */
  delay?: Delay;
  log?: Log;
}

export interface Sandbox extends Controls {
  /** Page and control. */
  url: string;
  stripeUrl: string;
  mailUrl: string;
  ports: { control: number; stripe: number; mail: number };
  close(): Promise<void>;
}

/** The outside world of a plan, on three ports: Stripe and a mailbox behind the lossy gateway, and their control. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', database: file = inMemory, delay = realDelay, log = () => undefined } = options;
  const upstream = {
    ...(options.stripeUpstream !== undefined && {
      stripe: createUpstream(parseUpstream('Stripe', options.stripeUpstream)),
    }),
    ...(options.mailUpstream !== undefined && {
      mail: createUpstream(parseUpstream('the mailbox', options.mailUpstream)),
    }),
  };
  const trusted = trustedHosts(host, options.allowedHosts ?? []);
  const database = openDatabase(file);
  const clock = createClock(database);
  const settings = createSettings(database);
  const rules = createFaultRules(database);
  const requests = createRequestLog(database, clock);
  const commit = createGroupCommit(database);

  // The stand-ins are there in any case: with an upstream they get no requests and have no effects to show.
  const stripe = createStripeService({ database, clock, settings, commit });
  const mail = createMailbox({ database, clock, settings, commit });

  const controls = createControls({
    database,
    clock,
    settings,
    rules,
    requests,
    stripe,
    mail,
    upstream: new Set(Object.keys(upstream)),
  });
  const common = { rules, requests, database, commit, delay, log };
  const servers = {
    control: createControl({
      routes: controlRoutes(controls),
      trusted,
      log,
    }),
    stripe: createGateway({ name: 'stripe', service: upstream.stripe ?? stripe, errors: stripeErrors, ...common }),
    mail: createGateway({ name: 'mail', service: upstream.mail ?? mail, errors: mailErrors, ...common }),
  };
  const close = async (): Promise<void> => {
    await Promise.all(Object.values(servers).map(shut));
    closeDatabase(database);
  };

  try {
    const ports = {
      control: await listen(servers.control, host, options.port ?? 0, 'control'),
      stripe: await listen(servers.stripe, host, options.stripePort ?? 0, 'Stripe'),
      mail: await listen(servers.mail, host, options.mailPort ?? 0, 'mail'),
    };
    const urls = {
      url: urlOf(host, ports.control),
      stripeUrl: urlOf(host, ports.stripe),
      mailUrl: urlOf(host, ports.mail),
    };
    return { ...controls, ...urls, ports, close };
  } catch (error) {
    // What went wrong first is what is told.
    await close().catch(() => undefined);
    throw error;
  }
}

/** An address to call: one that is bound to every interface is called by its loopback name. */
function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
