/** More changes than this make another word, not a misspelt one. */
const farthest = 2;

/** The known name that `name` was probably meant to be. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const near = known
    .filter((candidate) => Math.abs(candidate.length - name.length) <= farthest)
    .map((candidate) => ({ candidate, changes: changesBetween(name, candidate) }))
    .filter(({ changes }) => changes <= farthest)
    .sort((a, b) => a.changes - b.changes);
  return near[0]?.candidate;
}

/** Levenshtein's distance, one row of the table at a time. */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of a.split('').entries()) {
    const next = [index + 1];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
