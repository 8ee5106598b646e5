import { builtinModules } from 'node:module';
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Node's own modules, under both of their names. Workflow code runs in a sandbox that has none of them. */
const nodeModules = ['node:*', ...builtinModules.filter((name) => !name.startsWith('_'))];

/** A layer may import only what stands below it; `reason` is what the reader of the error needs to know. */
const forbidImports = (files, groups) => ({
  files,
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: groups.map(({ names, reason, allowTypes = false }) => ({
          group: names,
          message: reason,
          allowTypeImports: allowTypes,
        })),
      },
    ],
  },
});

export default tseslint.config(
  { ignores: ['dist', 'coverage', 'data'] },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', 'scripts/run.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'max-lines': ['error', { max: 220 }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // `{ result, ...rest }` is how a field is left out.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
    },
  },
  {
    // Browser code: `tsc -p src/sandbox/page` knows its globals.
    files: ['src/sandbox/page/**'],
    rules: { 'no-undef': 'off' },
  },
  {
    // Plain JavaScript outside the TypeScript project: its types are not known.
    files: ['eslint.config.js', 'scripts/run.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: 'readonly' } },
  },
  forbidImports(
    ['src/plan/**'],
    [
      { names: nodeModules, reason: 'src/plan is bundled into workflow code: no Node built-ins.' },
      { names: ['@temporalio/*', '../*'], reason: 'src/plan is pure: it imports nobody.' },
    ],
  ),
  forbidImports(
    ['src/workflows/**'],
    [
      { names: nodeModules, reason: 'Workflow code is replayed: no Node built-ins, no I/O.' },
      {
        names: ['**/activities/*', '@temporalio/activity'],
        reason: 'Workflows know activities by their types only.',
        allowTypes: true,
      },
      {
        names: ['**/ledger/*', '**/client/*', '**/sandbox/*', '**/config.js', 'stripe', 'resend'],
        reason: 'Workflows reach the world through activities.',
      },
    ],
  ),
  {
    files: ['src/plan/**', 'src/workflows/**'],
    rules: {
      'no-restricted-globals': ['error', 'process', 'Buffer', 'fetch', 'crypto', 'require', 'global'],
    },
  },
  forbidImports(
    ['src/activities/**', 'src/ledger/**'],
    [
      {
        names: ['**/workflows/*', '**/client/*', '**/sandbox/*'],
        reason: 'Activities and the ledger stand below workflows, client and sandbox.',
      },
    ],
  ),
);
