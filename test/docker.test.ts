/*
 * docker-compose.yml and Dockerfile, without an engine: the Compose specification's own schema (it comes with dclint), a
 * linter for either file, and what must not drift apart from the sources.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import ms from 'ms';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { temporalCli } from '../src/sandbox/temporal/program.js';
import { serverArguments } from '../src/sandbox/temporal/server-arguments.js';

/** dclint's own types cannot be resolved from an ES module. */
type Linter = new (config: { rules: Record<string, 0>; quiet: boolean; debug: boolean; exclude: string[] }) => {
  lintFiles(paths: string[], recursive: boolean): { messages: { rule: string; message: string }[] }[];
};
const ComposeLinter = DCLinter as unknown as Linter;

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('docker-compose.yml', () => {
  const text = read('docker-compose.yml');
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };

  interface Service {
    image?: string;
    command: string[];
    ports?: string[];
    volumes: string[];
    healthcheck: { test: string[] };
    depends_on?: Record<string, { condition: string }>;
    stop_grace_period?: ms.StringValue;
  }

  /** The order of keys is a matter of taste, and ours is the order in which the file is read. */
  const tastes = ['service-keys-order', 'services-alphabetical-order', 'top-level-properties-order'];
  const moreTastes = ['service-dependencies-alphabetical-order', 'no-quotes-in-volumes'];
  const rules = Object.fromEntries<0>([...tastes, ...moreTastes].map((name) => [name, 0]));

  /** What dclint says: its rules, and first of all the schema. */
  function lint(compose: string): string[] {
    const folder = mkdtempSync(join(tmpdir(), 'agent-plans-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'docker-compose.yml');
    writeFileSync(file, compose);
    const results = new ComposeLinter({ rules, quiet: true, debug: false, exclude: [] }).lintFiles([file], false);
    return results.flatMap(({ messages }) => messages.map(({ rule, message }) => `${rule}: ${message}`));
  }

  test('is valid', () => {
    expect(lint(text)).toEqual([]);
  });

  test.for([
    ['stop_grace_period', 'stop_grace', /invalid-schema/],
    ['condition: service_healthy', 'condition: service_fine', /invalid-schema/],
    ['interval: 30s', 'interval: 30', /invalid-schema/],
    ["'127.0.0.1:7233:7233'", "'7233:7233'", /no-unbound-port-interfaces/],
    [`temporal:${temporalCli.version}`, 'temporal:latest', /service-image-require-explicit-tag/],
  ] as const)('would not be with a mistake: %s → %s', ([right, wrong, rule]) => {
    expect(lint(text.replace(right, wrong))).toContainEqual(expect.stringMatching(rule));
  });

  test('starts the Temporal server of `npm run temporal`, with its flags', () => {
    const dbFile = '/home/temporal/temporal.db';
    const here = serverArguments({ port: 7233, uiPort: 8233, namespaces: [], dbFile });
    const there = services['temporal']?.command ?? [];
    /** In any order; `--flag value` and `--flag=value` are the same; the address may differ. */
    const flags = (command: string[]): string[] => {
      const all = command
        .join(' ')
        .replaceAll('=', ' ')
        .split(/ (?=--)/);
      return all.filter((flag) => !/^--(ui-)?ip /.test(flag)).sort();
    };
    expect(flags(there)).toEqual(flags(here));
    expect(services['temporal']?.image).toBe(`temporalio/temporal:${temporalCli.version}`);
  });

  test('has a health check for every service, and the worker waits for the others', () => {
    expect(Object.keys(services)).toEqual(['temporal', 'sandbox', 'worker']);
    for (const { healthcheck } of Object.values(services)) expect(healthcheck.test[0]).toBe('CMD');
    const healthy = { condition: 'service_healthy' };
    expect(services['worker']?.depends_on).toEqual({ temporal: healthy, sandbox: healthy });
  });

  test('gives the worker longer to stop than the worker gives its attempts', () => {
    const [, grace] = /shutdownGraceTime = '(\w+)'/.exec(read('src/run-worker.ts')) ?? [];
    expect(ms(services['worker']?.stop_grace_period ?? '0s')).toBeGreaterThan(ms(grace as ms.StringValue));
  });

  test('publishes its ports on this machine only', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toHaveLength(5);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });
});

describe('Dockerfile', () => {
  const text = read('Dockerfile');

  test('is valid', () => {
    expect(validate(text)).toEqual([]);
    expect(validate(text.replace('STOPSIGNAL SIGTERM', 'STOPSIGNAL'))).not.toEqual([]);
  });

  test('is built from a pinned image and runs as somebody without rights', () => {
    const images = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image ?? '');
    expect(images.filter((image) => !/^(node:\d+\.\d+\.\d+-[a-z-]+|base)$/.test(image))).toEqual([]);
    expect(text.slice(text.lastIndexOf('FROM'))).toMatch(/^USER 1000:1000$/m);
  });
});
