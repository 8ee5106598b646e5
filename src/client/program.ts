import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { cancel } from './cancel.js';
import { decide } from './decide.js';
import { exitCodes } from './exit-code.js';
import { keys } from './keys.js';
import { list } from './list.js';
import { LostSight } from './lost-sight.js';
import { createOutput, type Output, type Streams } from './output.js';
import { receipts } from './receipts.js';
import { resolve, type ResolveOptions } from './resolve.js';
import { start, type StartOptions } from './start.js';
import { status } from './status.js';
import { clientCommand } from './report-lines.js';
import { oneLine } from './text.js';
import { watch } from './watch.js';

const usageExitCode = 2;
/** A screenful. */
const defaultLimit = 20;
/** The server's largest page. */
const maximumLimit = 1000;

/** Runs one command and returns its exit code. Throws `UsageError` or `InputError` for a mistake. */
export async function runClient(args: readonly string[], streams: Streams): Promise<number> {
  let exitCode = 0;
  const program = new Command(clientCommand)
    .description('Starts plans, watches them, and decides for a person.')
    .option('--json', 'print one JSON document on stdout; everything else goes to stderr')
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text),
      outputError: (text, write) => write(`${oneLine(text.replace(/^error: /, ''))}\n`),
    })
    .exitOverride();
  const output = (): Output => createOutput(program.opts<{ json?: true }>().json === true, streams);
  const ends = async (code: number | Promise<number>): Promise<void> => {
    exitCode = await code;
  };

  program
    .command('start <plan.json>')
    .description('start a plan, or attach to it, and show it to its end')
    .option('--workflow-id <id>', 'what makes the plan this plan: its keys come from it (default: a new one)')
    .option('--policy <policy.json>', "limits for this plan; may only tighten the worker's")
    .option('--detach', 'do not wait for the end')
    .action((path: string, options: StartOptions) => ends(start(path, options, output())));
  program
    .command('watch <id>')
    .description('show a plan to its end')
    .action((id: string) => ends(watch(id, output())));
  program
    .command('status <id>')
    .description('how a plan stands')
    .action((id: string) => ends(status(id, output())));
  program
    .command('list')
    .description('recent plans')
    .option('--limit <number>', 'how many at most', toLimit, defaultLimit)
    .action((options: { limit: number }) => ends(list(options, output())));
  for (const [name, approve] of [
    ['approve', true],
    ['reject', false],
  ] as const) {
    program
      .command(`${name} <id> <step>`)
      .description(`${name} a step, by its id or its index`)
      .option('--note <text>', 'why')
      .action((id: string, step: string, { note }: { note?: string }) =>
        ends(decide(id, step, { approve, ...(note === undefined ? {} : { note }) }, output())),
      );
  }
  program
    .command('cancel <id>')
    .description('end a plan after the step at work')
    .action((id: string) => ends(cancel(id, output())));
  program
    .command('receipts <id>')
    .description("the ledger's records of a plan")
    .action((id: string) => ends(receipts(id, output())));
  program
    .command('resolve <id> <step>')
    .description(
      'settle the unknown outcome of a step, by its id or its index, after looking for the effect at the provider',
    )
    .option(
      '--happened <ref>',
      "it happened; the provider's id of the effect: pi_… of a charge, re_… of a refund or an undo",
    )
    .option('--did-not-happen', 'it did not happen')
    .action((id: string, step: string, options: ResolveOptions) => ends(resolve(id, step, options, output())));
  program
    .command('keys <plan.json>')
    .description("a plan's keys, computed without any server")
    .requiredOption('--workflow-id <id>', 'the workflow id the plan is, or will be, started with')
    .action((path: string, options: { workflowId: string }) => ends(keys(path, options, output())));
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has said already what is wrong, or shown its help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExitCode;
    if (!(error instanceof LostSight)) throw error;
    streams.stderr.write(`${error.message}\n`);
    return exitCodes.outcome_unknown;
  }
}

function toLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > maximumLimit) {
    throw new InvalidArgumentError(`It must be a number from 1 to ${maximumLimit}.`);
  }
  return limit;
}
