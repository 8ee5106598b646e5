/* `.env.example` lists every variable that the programs read, and none that nothing reads. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'dotenv';
import { expect, test } from 'vitest';
import { workerConfig } from '../src/config.js';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const example = read('.env.example');
const listed = [...example.matchAll(/^#?([A-Z][A-Z_]*)=/gm)].map(([, name]) => name);

/** They are the system's: where the home, the caches and the programs are. */
const system = ['HOME', 'LOCALAPPDATA', 'PATH', 'XDG_CACHE_HOME'];

function readInSources(): string[] {
  const files = readdirSync(new URL('../src', import.meta.url), { recursive: true, encoding: 'utf8' });
  const code = files.filter((file) => file.endsWith('.ts')).map((file) => read(`src/${file}`));
  // By the place where a variable is read, and by the name: some pass through a function or a constant first.
  const places = /\benv(?:ironment)?(?:\[|\()'([A-Z][A-Z_]*)'|'((?:SANDBOX|STRIPE|RESEND|TEMPORAL)_[A-Z_]+)'/g;
  return code.flatMap((text) => [...text.matchAll(places)].map(([, place, name]) => place ?? name ?? ''));
}

const inSources = new Set(readInSources().filter((name) => !system.includes(name)));

test('every variable that the sources read is listed', () => {
  expect(inSources.size).toBeGreaterThan(15);
  expect([...inSources].filter((name) => !listed.includes(name))).toEqual([]);
});

test('every variable that docker-compose.yml takes over is listed', () => {
  const taken = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
  expect(taken).toContain('STRIPE_SECRET_KEY');
  expect(taken.filter((name) => !listed.includes(name))).toEqual([]);
});

test('every variable that is listed is read, and listed once', () => {
  const others = read('docker-compose.yml') + readEnvconfig();
  expect(listed.filter((name = '') => !inSources.has(name) && !new RegExp(`\\b${name}\\b`).test(others))).toEqual([]);
  expect(listed).toHaveLength(new Set(listed).size);
});

/** Temporal's own variables are read by its own package. */
function readEnvconfig(): string {
  const folder = new URL('.', `file://${createRequire(import.meta.url).resolve('@temporalio/envconfig')}`);
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
  return files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n');
}

test('as it stands it is a configuration that the worker takes, of the sandbox', () => {
  expect(workerConfig(parse(example))).toMatchObject({
    stripe: { secretKey: 'sk_test_sandbox', apiBase: new URL('http://127.0.0.1:4011') },
    resend: { apiKey: 're_sandbox', baseUrl: 'http://127.0.0.1:4012' },
  });
});

test('and so it is with every line switched on, but for the files and servers that are not there', () => {
  const switchedOn = parse(example.replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
  expect(workerConfig({ ...switchedOn, POLICY_FILE: '', TEMPORAL_PROFILE: '' })).toMatchObject({
    taskQueue: 'agent-plans',
    ledgerUrl: 'file:./data/ledger.db',
    breakPoint: { point: 'after-answer', stepIndex: 0, how: 'kill' },
    clockOffset: 25 * 60 * 60 * 1000,
  });
});
