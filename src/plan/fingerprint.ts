import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
// A CommonJS module that exports the function itself; its types describe an ES module's default export instead.
import canonicalizeModule from 'canonicalize';

const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/**
 * SHA-256 (hex) of the canonical JSON (RFC 8785) of a plan or a step *as written*: references unresolved, defaults not
 * filled in. Only so does the same file give the same fingerprint whatever was read or deployed in between.
 */
export function fingerprint(json: unknown): string {
  const canonical = canonicalize(json);
  if (canonical === undefined) throw new TypeError('Only JSON values have a fingerprint');
  return bytesToHex(sha256(utf8ToBytes(canonical)));
}
