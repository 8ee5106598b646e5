import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BreakAt, breakPoints } from './activities/break-point.js';
import { InputError } from './plan/input-error.js';

/** A test knob: ends the worker, or throws, at one point of one step, once. */
export interface BreakPoint {
  point: Parameters<BreakAt>[0];
  stepIndex: number;
  how: 'kill' | 'throw';
}

const form = new RegExp(`^(${breakPoints.join('|')}):(\\d+):(kill|throw)$`);

/** Reads `BREAK_AT`, e.g. `after-answer:0:kill`. Throws `InputError`. */
export function parseBreakPoint(text: string): BreakPoint {
  const [, point, step, how] = form.exec(text) ?? [];
  if (!point) {
    const message = `must be ${breakPoints.join('|')}:<step>:kill|throw`;
    throw new InputError('configuration', [{ path: 'BREAK_AT', message }]);
  }
  return { point: point as BreakPoint['point'], stepIndex: Number(step), how: how as BreakPoint['how'] };
}

/** That it fired is remembered in a file beside the ledger, so that the worker that comes after does not break again. */
export function createBreakAt(breakPoint: BreakPoint | undefined, ledgerFile: string): BreakAt {
  if (!breakPoint) return () => undefined;
  const name = createHash('sha256').update(JSON.stringify(breakPoint)).digest('hex').slice(0, 16);
  const mark = join(dirname(ledgerFile), `.broke-${name}`);
  return (point, stepIndex) => {
    if (point !== breakPoint.point || stepIndex !== breakPoint.stepIndex || !leaveMark(mark)) return;
    if (breakPoint.how === 'kill') process.kill(process.pid, 'SIGKILL');
    throw new Error(`BREAK_AT ${point} of step ${stepIndex}`);
  };
}

/** False if the mark was there already. */
function leaveMark(mark: string): boolean {
  try {
    mkdirSync(dirname(mark), { recursive: true });
    writeFileSync(mark, '', { flag: 'wx', flush: true });
    return true;
  } catch {
    return false;
  }
}
