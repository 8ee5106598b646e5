/**
 * The one address that a string holds: `ada@example.com` or `Ada <ada@example.com>`. No control characters: a line break
 * would start a header of its own.
 */
const namedAddress = /^[^\p{Cc}<>]*<([^<>]*)>$/u;

/** A dot in the domain and no empty label, as in the format that Resend's text asks for; no second address behind a comma. */
const plainAddress = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/iu;

/** What Resend says against an address, or undefined. The texts are those of answers that people have published. */
export function addressProblem(value: string): string | undefined {
  const address = namedAddress.exec(value)?.[1] ?? value;
  if (!/^\p{ASCII}*$/u.test(address)) return 'The email address contains non-ASCII characters.';
  if (plainAddress.test(address)) return undefined;
  return 'The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.';
}
