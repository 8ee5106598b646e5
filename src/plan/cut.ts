// Temporal's server cuts neither of them, so we do (docs.temporal.io/ui, "user metadata").
export const maximumSummaryBytes = 400;
export const maximumDetailsBytes = 20_000;

export const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

/** Cut between characters, never within one. */
export function cut(text: string, maximum: number): string {
  if (utf8Bytes(text) <= maximum) return text;
  let kept = '';
  for (const character of text) {
    if (utf8Bytes(`${kept}${character}…`) > maximum) break;
    kept += character;
  }
  return `${kept}…`;
}
