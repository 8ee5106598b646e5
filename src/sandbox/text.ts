const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Bytes as text, or undefined if they are none. A decoder that puts a replacement character in the place of each broken
 * byte makes different requests look the same to a layer that compares them under one key.
 */
export function readText(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Percent escapes undone; text with a broken one stays as it is, and must not bring the process down. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
