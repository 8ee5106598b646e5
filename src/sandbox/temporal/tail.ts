import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';

const LINES_KEPT = 5; // the cause is among them, and they still fit an error message

/** How a program in Go tells that it has crashed. Its stack follows, longer than what is kept. */
export const crash = /\b(panic|fatal error): /;

/** Reads a stream to its end, so that its writer never blocks on a full pipe, and remembers the last lines. */
export function keepTail(input: Readable, onLine: (line: string) => void): () => string {
  const lines: string[] = [];
  let cause: string | undefined;
  createInterface({ input }).on('line', (line) => {
    if (!line.trim()) return;
    onLine(line);
    if (crash.test(line)) cause ??= line.trim();
    lines.push(line.trim());
    if (lines.length > LINES_KEPT) lines.shift();
  });
  return () => (cause === undefined || lines.includes(cause) ? lines : [cause, ...lines]).join(' | ');
}
