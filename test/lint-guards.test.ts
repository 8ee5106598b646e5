/*
 * The lint rules that guard the layers, shown to catch what they are there for. Faulty code is linted under the name of
 * a file that exists, with the project's own configuration: the rules that need types know such a file, and nothing is
 * written to disk.
 */
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';

const eslint = new ESLint({ cwd: fileURLToPath(new URL('..', import.meta.url)) });

const workflowFile = 'src/workflows/agent-plan.ts';
const planFile = 'src/plan/plan.ts';
const activityFile = 'src/activities/charge.ts';
const ledgerFile = 'src/ledger/ledger.ts';

/** What lint says of `code` as the whole text of `file`: line, rule and message. */
async function lint(file: string, code: string): Promise<string[]> {
  const results = await eslint.lintText(code, { filePath: file });
  return results.flatMap(({ messages }) =>
    messages.map(({ line, ruleId, message }) => `${line} ${ruleId ?? 'not linted'} ${message}`),
  );
}

/** Code that imports every one of `names`, one a line, and uses it. */
function importing(names: readonly string[]): string {
  const imports = names.map((name, index) => `import * as found${index} from '${name}';`);
  return `${imports.join('\n')}\nexport const all = [${names.map((_, index) => `found${index}`).join(', ')}];\n`;
}

/** The names whose import lint refuses in `file`, with `reason` in its message. */
async function refused(file: string, names: readonly string[], reason: string): Promise<string[]> {
  const said = await lint(file, importing(names));
  return names.filter((_, index) =>
    said.some((line) => {
      return line.startsWith(`${index + 1} @typescript-eslint/no-restricted-imports `) && line.includes(reason);
    }),
  );
}

describe('a floating promise', () => {
  const floating = 'export function later(): void {\n  Promise.resolve(1).finally(() => undefined);\n}\n';

  test.for([workflowFile, planFile, activityFile, 'src/worker.ts', 'test/lost-response.test.ts'])(
    'is caught in %s',
    async (file) => {
      expect(await lint(file, floating)).toEqual([
        expect.stringMatching(/^2 @typescript-eslint\/no-floating-promises /),
      ]);
    },
  );

  test('is one no more when it is marked as meant', async () => {
    expect(await lint(workflowFile, floating.replace('Promise', 'void Promise'))).toEqual([]);
  });
});

describe('a built-in of Node', () => {
  const publicNames = builtinModules.filter((name) => !name.startsWith('_') && !name.startsWith('node:'));
  const names = publicNames.flatMap((name) => [name, `node:${name}`]);

  test.for([workflowFile, planFile])('is caught in %s, under both of its names', async (file) => {
    expect(names).toEqual(expect.arrayContaining(['crypto', 'node:crypto', 'fs', 'node:fs', 'node:fs/promises']));
    expect(await refused(file, names, 'no Node built-ins')).toEqual(names);
  });

  test('may be used by activities', async () => {
    expect(await lint(activityFile, importing(['node:crypto', 'fs']))).toEqual([]);
  });

  test.for([workflowFile, planFile])('is caught as a global in %s', async (file) => {
    const globals = ['process', 'Buffer', 'fetch', 'crypto'];
    const said = await lint(file, globals.map((name) => `export const ${name}Is = ${name}.toString;`).join('\n'));
    expect(said).toEqual(
      expect.arrayContaining(
        globals.map((name, index) => `${index + 1} no-restricted-globals Unexpected use of '${name}'.`),
      ),
    );
  });
});

describe('a layer may not import what stands above it', () => {
  test.for([
    [workflowFile, 'by their types only', ['../activities/charge.js', '@temporalio/activity']],
    [workflowFile, 'through activities', ['../ledger/ledger.js', '../client/temporal.js', '../sandbox/sandbox.js']],
    [workflowFile, 'through activities', ['../config.js', 'stripe', 'resend']],
    [planFile, 'imports nobody', ['../ledger/ledger.js', '../activities/once.js', '../workflows/agent-plan.js']],
    [planFile, 'imports nobody', ['../config.js', '@temporalio/workflow', '@temporalio/common']],
    [activityFile, 'stand below', ['../workflows/agent-plan.js', '../client/temporal.js', '../sandbox/sandbox.js']],
    [ledgerFile, 'stand below', ['../workflows/agent-plan.js', '../client/temporal.js', '../sandbox/sandbox.js']],
  ] as const)('%s: %s', async ([file, reason, names]) => {
    expect(await refused(file, names, reason)).toEqual(names);
  });

  test('but workflow code knows the types of activities', async () => {
    const code = `import type { Activities } from '../activities/activities.js';\n\nexport type Names = keyof Activities;\n`;
    expect(await lint(workflowFile, code)).toEqual([]);
  });
});
