import { formatPath } from './json-path.js';

/** What a JSON text is made of, as far as it matters here: strings, and what holds objects and arrays together. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** An object or an array that has begun, and where in it the text is. */
interface Place {
  names?: Set<string>;
  at: string | number;
}

/**
 * The path of a field that one object has twice, or undefined. `JSON.parse` takes the last of them without a word; a
 * person who reads the plan may take the first. `text` is known to be JSON.
 *
 * Of several the outermost: what is written in the other ones may be thrown away, and has not been looked at.
 */
export function repeatedField(text: string): string | undefined {
  const open: Place[] = [];
  let lastString = '""';
  let found: PropertyKey[] | undefined;
  for (const [part] of text.matchAll(token)) {
    const place = open.at(-1);
    if (part === '{') open.push({ names: new Set(), at: '' });
    else if (part === '[') open.push({ at: 0 });
    else if (part === '}' || part === ']') open.pop();
    else if (part === ',' && typeof place?.at === 'number') place.at++;
    else if (part === ':' && place?.names) {
      // Names that are escaped in different ways are one name.
      place.at = JSON.parse(lastString) as string;
      if (place.names.has(place.at) && (!found || open.length < found.length)) found = open.map(({ at }) => at);
      place.names.add(place.at);
    } else lastString = part;
  }
  return found && formatPath(found);
}
