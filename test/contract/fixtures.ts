import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Record<string, unknown>;

/** Differences between the names that an object has and those that Stripe's example of it has. */
export interface Difference {
  path: string;
  difference: 'missing' | 'extra';
}

/** Stripe's own example of each object. */
export function readFixtures(openapi: string): (name: string) => Json {
  const { resources } = JSON.parse(readFileSync(join(openapi, 'fixtures3.json'), 'utf8')) as {
    resources: Record<string, Json>;
  };
  return (name) => resources[name] ?? {};
}

/** Goes down as far as both are objects; what a person named (metadata) and lists are compared no further. */
export function compareNames(ours: Json, theirs: Json, path = ''): Difference[] {
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((name): Difference[] => {
    const here = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(ours, name)) return [{ path: here, difference: 'missing' }];
    if (!Object.hasOwn(theirs, name)) return [{ path: here, difference: 'extra' }];
    const [a, b] = [ours[name], theirs[name]];
    return name !== 'metadata' && isObject(a) && isObject(b) ? compareNames(a, b, here) : [];
  });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
