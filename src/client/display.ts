import type { Watcher } from './follow.js';
import type { Output } from './output.js';
import { awaited, reportLines, stepRows } from './report-lines.js';
import type { Standing } from './standing.js';

export interface Display extends Watcher {
  /** Gives the screen back: the live block is gone, lines stay. */
  end(): void;
}

/** Shows how a plan goes on: a live block on a terminal, and where the output is piped a line for each change. */
export function createDisplay(stream: Output['stream']): Display {
  return stream.isTTY ? liveBlock(stream) : changedLines(stream);
}

// A terminal's own words. A line that wraps would be two, and the next drawing would begin too low: so lines are cut,
// and for characters that are wider than one column the terminal is told not to wrap while the block is drawn.
const wrapOff = '\x1b[?7l';
const wrapOn = '\x1b[?7h';
const upAndClear = (lines: number): string => (lines > 0 ? `\x1b[${lines}A\r\x1b[J` : '');

function liveBlock(stream: Output['stream']): Display {
  let drawn = 0;
  let current: readonly string[] = [];
  const draw = (lines: readonly string[]): void => {
    stream.write(
      upAndClear(drawn) + wrapOff + lines.map((line) => `${cutTo(stream.columns, line)}\n`).join('') + wrapOn,
    );
    [drawn, current] = [lines.length, lines];
  };
  return {
    show: (standing) => draw(fitting(standing, stream.rows)),
    note(text) {
      const lines = current;
      draw([]);
      stream.write(`${text}\n`);
      draw(lines);
    },
    end: () => draw([]),
  };
}

function cutTo(width: number, line: string): string {
  const characters = Array.from(line);
  return characters.length < width ? line : `${characters.slice(0, width - 2).join('')}…`;
}

/** The block must not be higher than the terminal, where the cursor cannot go back: then only the lines around the step at work. */
function fitting(standing: Standing, rows: number): readonly string[] {
  const lines = reportLines(standing);
  const room = rows - 1;
  if (lines.length <= room) return lines;
  const [title = '', ...rest] = lines;
  const { steps } = standing.report;
  const atWork = steps.findIndex(({ status }) => status !== 'succeeded');
  const from = Math.max(0, Math.min(atWork - Math.floor(room / 2), rest.length - room + 1));
  return [title, ...rest.slice(from, from + room - 1)];
}

function changedLines(stream: Output['stream']): Display {
  const said = new Map<number | string, string>();
  const sayOnce = (about: number | string, line: string): void => {
    if (said.get(about) !== line) stream.write(`${line}\n`);
    said.set(about, line);
  };
  return {
    show(standing) {
      for (const [index, row] of stepRows(standing).entries()) {
        // What has not begun is no change.
        if (standing.report.steps[index]?.status === 'pending') continue;
        sayOnce(index, `step ${row.filter((cell) => cell !== '').join(' · ')}`);
      }
      for (const line of awaited(standing)) sayOnce(line, line);
    },
    note: (text) => stream.write(`${text}\n`),
    end: () => undefined,
  };
}
