import { TestWorkflowEnvironment } from '@temporalio/testing';

/**
 * A process of its own (see from-sdk.ts): lets the SDK download a server program into a folder. The SDK has no call
 * for the download alone, so the server is started and stopped at once.
 */
const [server, version, downloadDir] = process.argv.slice(2) as ['createLocal' | 'createTimeSkipping', string, string];

try {
  const executable = { type: 'cached-download', version, downloadDir } as const;
  const environment = await TestWorkflowEnvironment[server]({ server: { executable } });
  await environment.teardown();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
