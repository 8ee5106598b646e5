import { Command, InvalidArgumentError, Option } from 'commander';
import { sabotages, type SabotageName } from './sabotage/names.js';

export interface ChaosOptions {
  plans: number;
  seed: number;
  workers: number;
  ledger?: string;
  json?: true;
  sabotage?: SabotageName;
}

/** The options of `npm run chaos`. Commander prints one line and exits by itself on a wrong one. */
export function readOptions(argv: readonly string[]): ChaosOptions {
  return new Command('chaos')
    .description(
      'Runs many plans while answers are lost and everything is killed, then compares reports with the truth.',
    )
    .option('--plans <number>', 'how many plans', toCount, 50)
    .option('--seed <number>', 'the same seed makes the same plans and the same mischief', toNumber, 1)
    .option('--workers <number>', 'worker processes', toCount, 2)
    .option(
      '--ledger <url>',
      'a postgres://… server, where a database is made for this run (default: a file)',
      toServer,
    )
    .option('--json', 'print one JSON document on stdout, and nothing else')
    .addOption(new Option('--sabotage <how>', 'break the workers; the run must find it out').choices(sabotages))
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse(argv)
    .opts<ChaosOptions>();
}

function toNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

function toServer(text: string): string {
  if (!/^postgres(ql)?:\/\/./.test(text)) throw new InvalidArgumentError('It must begin with postgres://.');
  return text;
}

function toCount(text: string): number {
  const number = toNumber(text);
  if (number < 1) throw new InvalidArgumentError('It must be at least 1.');
  return number;
}
