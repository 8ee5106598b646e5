import { createHash } from 'node:crypto';

const bytes = 6; // 48 bits: as many as a double holds exactly
const range = 2 ** (8 * bytes);

/**
 * A number in [0, 1) that depends on nothing but its arguments. Arrival order and real randomness are kept out, so that
 * a run with twenty concurrent workers loses the same answers each time it is repeated. The fault's name is in it so that
 * two rules with the same seed do not hit the very same requests.
 */
export function chance(seed: number, fault: string, identity: string, nth: number): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([seed, fault, identity, nth]))
    .digest();
  return hash.readUIntBE(0, bytes) / range;
}
