import type { Tally } from './tally.js';

/** The two runs side by side. */
export function summary(once: Tally, broken: Tally): string {
  const rows: [string, string | number, string | number][] = [
    ['', 'once', 'the broken way'],
    ['charge requests', once.attempts.charge, broken.attempts.charge],
    ['charges made', once.charges, broken.charges],
    ['e-mail requests', once.attempts.email, broken.attempts.email],
    ['e-mails sent', once.emails, broken.emails],
    ['keys used', keys(once).length, keys(broken).length],
  ];
  const table = rows.map(
    ([name, left, right]) => `  ${name.padEnd(17)}${String(left).padStart(8)}${String(right).padStart(18)}`,
  );
  const lists = [
    ['once', once],
    ['the broken way', broken],
  ] as const;
  return [
    ...table,
    ...lists.flatMap(([name, run]) => ['', `  Keys, ${name}:`, ...keys(run).map((key) => `    ${key}`)]),
  ].join('\n');
}

const keys = ({ steps }: Tally): string[] => steps.flatMap((step) => step.keys);
