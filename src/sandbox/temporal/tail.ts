import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';

const LINES_KEPT = 5; // the first is usually the cause, and it must fit an error message

/** Reads streams to their end, so that their writer never blocks on a full pipe, and remembers the last lines. */
export function keepTail(streams: readonly Readable[], onLine: (line: string) => void): () => string {
  const lines: string[] = [];
  for (const input of streams) {
    createInterface({ input }).on('line', (line) => {
      if (!line.trim()) return;
      onLine(line);
      lines.push(line.trim());
      if (lines.length > LINES_KEPT) lines.shift();
    });
  }
  return () => lines.join(' | ');
}
