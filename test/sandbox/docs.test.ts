import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { controlRoutes } from '../../src/sandbox/control/routes.js';
import type { Controls } from '../../src/sandbox/controls.js';
import { faultNames } from '../../src/sandbox/gateway/fault-names.js';

const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
const firstCells = [...page.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, cell]) => cell);

test('docs/sandbox.md has every fault', () => {
  expect(faultNames.filter((name) => !firstCells.includes(name))).toEqual([]);
});

test('docs/sandbox.md has every control call', () => {
  const isFile = /^GET \/($|.*\.)/;
  const calls = Object.keys(controlRoutes({} as Controls)).filter((name) => !isFile.test(name));
  expect(calls.filter((name) => !firstCells.includes(name))).toEqual([]);
});
