import { hostname } from 'node:os';
import proto from '@temporalio/proto';
import { withTemporal } from './client/temporal.js';
import { runCommand } from './command.js';
import { commonConfig, readEnvironment } from './config.js';

/** A worker that lives asks again at least every minute (the server ends an empty long poll then); some seconds more for the way. */
const pollerLife = 75_000;

/**
 * The health check of the worker's container: exit code 0 if the worker of this host asks for work. It asks the server,
 * because a worker that runs and reaches nobody is of no use.
 */
await runCommand(() =>
  withTemporal(commonConfig(readEnvironment()), async ({ client, call, namespace, taskQueue }) => {
    const taskQueueType = proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW;
    const { pollers } = await call(() =>
      client.workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType }),
    );
    // The SDK names a worker by process and host.
    const own = pollers.filter(({ identity }) => identity?.endsWith(`@${hostname()}`));
    const lastPoll = Math.max(0, ...own.map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000));
    return Date.now() - lastPoll < pollerLife ? 0 : 1;
  }),
);
