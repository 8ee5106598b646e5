import { createHash } from 'node:crypto';
import type { Branch, Tree } from './form.js';

/** Equal for equal parameters: names in any order. The items of a list have their places for names. */
export function fingerprint(parameters: Tree): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(parameters)))
    .digest('hex');
}

/** Pairs and not objects: an object would put names that look like numbers first and could not hold `__proto__`. */
function sorted(branch: Branch): unknown {
  if (typeof branch === 'string') return branch;
  return Object.keys(branch)
    .sort()
    .map((name) => [name, sorted(branch[name] ?? '')]);
}
