import { InvalidArgumentError, Option } from 'commander';
import { programNamed } from '../command.js';
import type { SandboxOptions } from './sandbox.js';

const controlPort = 4010;
const stripePort = 4011;
const mailPort = 4012;
const highestPort = 65_535;

interface Flags {
  host: string;
  port: number;
  stripePort: number;
  mailPort: number;
  database: string;
  stripeUpstream?: string;
  mailUpstream?: string;
}

/** The options of `npm run sandbox`. Commander prints one line and exits by itself on a wrong one. */
export function readOptions(argv: readonly string[], environment: NodeJS.ProcessEnv): SandboxOptions {
  const command = programNamed(
    'sandbox',
    'Stripe and a mailbox on this machine, behind a gateway that can lose their answers.',
  )
    .addOption(port('--port <number>', 'page and control', controlPort, 'SANDBOX_PORT'))
    .addOption(port('--stripe-port <number>', 'Stripe', stripePort, 'SANDBOX_STRIPE_PORT'))
    .addOption(port('--mail-port <number>', 'mailbox', mailPort, 'SANDBOX_MAIL_PORT'))
    .addOption(text('--host <address>', 'where to listen', '127.0.0.1', 'SANDBOX_HOST'))
    .addOption(text('--database <file>', 'keeps the state', './data/sandbox.db', 'SANDBOX_DB'))
    .option('--stripe-upstream <url>', 'stand in front of the real one: https://api.stripe.com')
    .option('--mail-upstream <url>', 'stand in front of the real one: https://api.resend.com');
  const allowedHosts = (environment['SANDBOX_ALLOWED_HOSTS'] ?? '').split(',').map((name) => name.trim());
  return { ...command.parse(argv).opts<Flags>(), allowedHosts: allowedHosts.filter((name) => name !== '') };
}

function text(flags: string, what: string, usual: string, variable: string): Option {
  return new Option(flags, what).default(usual).env(variable).argParser(filled);
}

/** Nothing would mean something to those who read it: every interface, and a state that is gone at the end. */
function filled(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

function port(flags: string, what: string, usual: number, variable: string): Option {
  return new Option(flags, `port of: ${what}; 0 is any free one`).default(usual).env(variable).argParser(toPort);
}

function toPort(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > highestPort) {
    throw new InvalidArgumentError(`It must be a number from 0 to ${highestPort}.`);
  }
  return number;
}
