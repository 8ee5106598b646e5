/*
 * Histories that were recorded earlier (`npm run histories`) are replayed with today's workflow code. A plan that is under
 * way when a new version is deployed goes on with it, so its code must take the same decisions as the old one.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { describe, expect, inject, test } from 'vitest';
import { courses } from './courses.js';
import '../rig/quiet-runtime.js';

const { History } = proto.temporal.api.history.v1;

const read = (course: string): Promise<string> => readFile(new URL(`${course}.json`, import.meta.url), 'utf8');

/** The workflow's id is part of every key it gives out. */
const replay = (course: string, history: string, codePath = inject('workflowBundle')): Promise<void> =>
  Worker.runReplayHistory(
    { workflowBundle: { codePath } },
    History.fromObject(JSON.parse(history) as object),
    `order-${course}`,
  );

describe('a recorded history', () => {
  test('is there for every course', async () => {
    const files = await readdir(new URL('.', import.meta.url));
    const recorded = files.filter((name) => name.endsWith('.json')).map((name) => name.replace(/\.json$/, ''));
    expect(recorded.sort()).toEqual(Object.keys(courses).sort());
  });

  test.for(Object.keys(courses))('%s: the present code takes the same decisions', async (course) => {
    await replay(course, await read(course));
  });

  test.for(Object.keys(courses))('%s: says nothing of the machine it was recorded on', async (course) => {
    const text = await read(course);
    const payloads = [...text.matchAll(/"data": "([^"]*)"/g)].map(([, data]) =>
      Buffer.from(data ?? '', 'base64').toString(),
    );
    for (const part of [text, ...payloads]) {
      expect(part).not.toMatch(/127\.0\.0\.1|localhost|\d+@|\/(?:tmp|home|root|work|Users)\/|file:|node_modules/);
    }
  });
});

describe('the replay refuses', () => {
  test('a history with another activity', async () => {
    const history = (await read('completed')).replace('"name": "refund"', '"name": "email"');
    await expect(replay('completed', history)).rejects.toBeInstanceOf(DeterminismViolationError);
  });

  test('workflow code that does the steps in another order', async () => {
    const code = await readFile(inject('workflowBundle'), 'utf8');
    const reversed = code.replace('open.plan.steps.keys()', '[...open.plan.steps.keys()].reverse()');
    expect(reversed).not.toBe(code);
    const folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
    const bundle = join(folder, 'bundle.js');
    await writeFile(bundle, reversed);
    await expect(replay('declined', await read('declined'), bundle)).rejects.toBeInstanceOf(DeterminismViolationError);
    await rm(folder, { recursive: true });
  });
});
