import { TestWorkflowEnvironment } from '@temporalio/testing';
import { expect, it, onTestFinished } from 'vitest';
import { findTestServer } from '../../../src/sandbox/temporal/test-server.js';

it('finds a time-skipping server that the SDK can start', async () => {
  const path = await findTestServer();
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  onTestFinished(() => environment.teardown());
  const before = await environment.currentTimeMs();
  await environment.sleep('1 day'); // in no time
  expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(24 * 60 * 60 * 1000);
});
