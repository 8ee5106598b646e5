import { readFileSync } from 'node:fs';
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import { config as readDotenv } from 'dotenv';
import ms from 'ms';
import type { StripeSettings } from './activities/stripe-client.js';
import { InputError } from './plan/input-error.js';
import { parsePolicy, type Policy } from './plan/policy.js';
import { parseBreakPoint, type BreakPoint } from './break-at.js';

type Environment = Record<string, string | undefined>;

/** Settings that the worker and the client share. */
export interface CommonConfig {
  temporal: { connection: ClientConnectConfig['connectionOptions']; namespace: string };
  taskQueue: string;
  /** `file:…` or `postgres://…`. */
  ledgerUrl: string;
}

export interface WorkerConfig extends CommonConfig {
  stripe: StripeSettings;
  resend: { apiKey: string; baseUrl?: string; from: string };
  policy: Policy;
  /** Test knobs; off unless set. */
  breakPoint?: BreakPoint;
  /** Added to the clock, in ms. */
  clockOffset: number;
}

/** Resend's own sender for trying out; a real one needs a verified domain (resend.com/docs). */
const defaultSender = 'Agent plans <onboarding@resend.dev>';

/** Reads `.env` of the current folder into `process.env`; what is set already wins. */
export function readEnvironment(): Environment {
  readDotenv({ quiet: true });
  return process.env;
}

/** Throws `InputError`. */
export function commonConfig(env: Environment): CommonConfig {
  return {
    temporal: temporalConfig(env),
    taskQueue: env['TEMPORAL_TASK_QUEUE'] || 'agent-plans',
    ledgerUrl: ledgerUrl(env['LEDGER_URL'] || 'file:./data/ledger.db'),
  };
}

/** Throws `InputError`; no message repeats a value that may be a secret. */
export function workerConfig(env: Environment): WorkerConfig {
  const breakAt = env['BREAK_AT'];
  return {
    ...commonConfig(env),
    stripe: stripeConfig(env),
    resend: resendConfig(env),
    policy: env['POLICY_FILE'] ? readPolicyFile(env['POLICY_FILE']) : {},
    ...(breakAt ? { breakPoint: parseBreakPoint(breakAt) } : {}),
    clockOffset: clockOffset(env['CLOCK_OFFSET']),
  };
}

export function readPolicyFile(path: string): Policy {
  return parsePolicy(readInputFile('policy', path));
}

/** Throws `InputError` for a file that cannot be read. */
export function readInputFile(what: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new InputError(what, [{ path: '', message: `cannot read ${path} (${reason})` }]);
  }
}

/** Temporal's own variables and profile files (docs.temporal.io/develop/environment-configuration). */
function temporalConfig(env: Environment): CommonConfig['temporal'] {
  try {
    const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(defined) });
    return { connection: connectionOptions, namespace: namespace ?? 'default' };
  } catch (error) {
    throw fault('TEMPORAL_*', error instanceof Error ? error.message : 'cannot be read');
  }
}

function stripeConfig(env: Environment): StripeSettings {
  const secretKey = env['STRIPE_SECRET_KEY'] ?? '';
  if (!/^(sk|rk)_test_\w+$/.test(secretKey)) {
    throw fault(
      'STRIPE_SECRET_KEY',
      'must be a test mode secret key (sk_test_… or rk_test_…); live, publishable and missing keys are refused. ' +
        'For the sandbox: cp .env.example .env',
    );
  }
  const base = env['STRIPE_API_BASE'];
  if (!base) return { secretKey };
  const url = httpUrl('STRIPE_API_BASE', base);
  if (url.pathname !== '/') throw fault('STRIPE_API_BASE', 'must have no path: the Stripe client adds its own');
  return { secretKey, apiBase: url };
}

function resendConfig(env: Environment): WorkerConfig['resend'] {
  const apiKey = env['RESEND_API_KEY'] ?? '';
  if (!/^re_\w+$/.test(apiKey)) throw fault('RESEND_API_KEY', 'must be set (re_…); any re_… key does for the sandbox');
  const base = env['RESEND_BASE_URL'];
  const from = env['EMAIL_FROM'] || defaultSender;
  if (!base) return { apiKey, from };
  return { apiKey, from, baseUrl: httpUrl('RESEND_BASE_URL', base).href.replace(/\/$/, '') };
}

function httpUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw fault(name, 'must be a http:// or https:// address, e.g. http://127.0.0.1:4011');
  }
  return url;
}

function ledgerUrl(url: string): string {
  if (/^(file:.|postgres(ql)?:\/\/.)/.test(url)) return url;
  throw fault('LEDGER_URL', 'must begin with file: or postgres://');
}

function clockOffset(text: string | undefined): number {
  if (!text) return 0;
  const offset = /^-?\d+(ms|s|m|h|d)$/.test(text) ? ms(text as ms.StringValue) : undefined;
  if (offset === undefined) throw fault('CLOCK_OFFSET', 'must be a duration such as "25h"');
  return offset;
}

function fault(path: string, message: string): InputError {
  return new InputError('configuration', [{ path, message }]);
}
