import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startProcess } from '../sandbox/process.js';
import { startLoad } from './load.js';
import { send, type Operation } from './operation.js';
import { seededRandom } from './random.js';
import { effectsOf, expectOneEffectEach, expectTruthfulLog } from './truth.js';

/** `npm test` kills twice, `npm run test:crash` many times; both can be told otherwise. */
const rounds = Number(process.env['CRASH_ROUNDS'] ?? 2);
const seed = Number(process.env['CRASH_SEED'] ?? 1);

/** From the first answer on; nothing in the sandbox is aligned with it. */
const longestLifeMs = 1500;

/** A start of the sandbox on a busy machine, the load, and each key once more at the end. */
const roundTimeoutMs = 120_000;

test(
  `killed ${rounds} times under load (seed ${seed}): one effect for each key, and the answer that was given before`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'crash-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const options = ['--database', join(folder, 'sandbox.db')];
    const random = seededRandom(seed);
    const operations: Operation[] = [];

    for (let round = 0; round < rounds; round += 1) {
      const sandbox = await startProcess(options);
      const load = startLoad(sandbox, `round ${round}`, random);
      await expect.poll(() => load.operations.some(({ heads }) => heads > 0)).toBe(true);
      await wait(random() * longestLifeMs);
      await sandbox.end('SIGKILL');
      load.stop();
      await load.ended;
      expect(sandbox.stderr()).toBe('');
      operations.push(...load.operations);
    }

    const sandbox = await startProcess(options);
    expectTruthfulLog(await effectsOf(sandbox), operations);
    const waiting = [...operations];
    const repeat = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await send(next, sandbox);
    };
    await Promise.all(Array.from({ length: 20 }, repeat));
    expectOneEffectEach(await effectsOf(sandbox), operations);
    console.log(
      `${operations.length} keys, ${operations.filter(({ heads }) => heads === 1).length} never answered before`,
    );
  },
  (rounds + 1) * roundTimeoutMs,
);
