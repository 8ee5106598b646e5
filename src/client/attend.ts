import { createDisplay } from './display.js';
import { follow } from './follow.js';
import { LostSight } from './lost-sight.js';
import { type Output, printReport } from './output.js';
import { clientCommand } from './report-lines.js';
import type { ClientContext } from './temporal.js';
import { shellQuote } from './text.js';

/** What a shell gives for a program that Ctrl-C ended. */
const interruptedExitCode = 130;

/** Shows a plan's progress to its end, then its report. Ctrl-C leaves the plan running. Returns the exit code. */
export async function attend(context: ClientContext, workflowId: string, output: Output): Promise<number> {
  const display = createDisplay(output.stream);
  const again = `Watch it again: ${clientCommand} watch ${shellQuote(workflowId)}`;
  const leave = (): void => {
    display.end();
    output.stderr.write(`The plan goes on. ${again}\n`);
    process.exit(interruptedExitCode);
  };
  process.once('SIGINT', leave);
  try {
    const standing = await follow(context, workflowId, ({ closed }) => closed, display);
    display.end();
    return printReport(output, standing);
  } catch (error) {
    display.end();
    throw error instanceof LostSight ? new LostSight(`${error.message}. ${again}`) : error;
  } finally {
    process.off('SIGINT', leave);
  }
}
