import { setTimeout as sleep } from 'node:timers/promises';
import proto from '@temporalio/proto';
import { UsageError } from '../command.js';
import type { ClientContext } from './temporal.js';

/**
 * The server lists a poller for minutes after it has gone. One that lives asks again at least every minute (the
 * server ends an empty long poll then); some seconds more for the way.
 */
const pollerLife = 75_000;

/** A worker that has just said it is ready may not have asked for work yet. */
const patience = 4_000;
const lookInterval = 250;

const { TaskQueueType } = proto.temporal.api.enums.v1;
/** A plan needs a worker for both. */
const taskQueueTypes = [TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW, TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY];

/** Throws `UsageError` if no worker asks for work, so that nothing is started that nobody does. */
export async function requireWorker(context: ClientContext): Promise<void> {
  const giveUp = Date.now() + patience;
  while (!(await hasWorker(context))) {
    if (Date.now() > giveUp) {
      throw new UsageError(
        `No worker polls task queue "${context.taskQueue}" in namespace "${context.namespace}"; ` +
          'nothing was started. Start one with "npm run worker"',
      );
    }
    await sleep(lookInterval);
  }
}

async function hasWorker({ client, call, namespace, taskQueue }: ClientContext): Promise<boolean> {
  const queues = await Promise.all(
    taskQueueTypes.map((taskQueueType) =>
      call(() =>
        client.workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType }),
      ),
    ),
  );
  const now = Date.now();
  return queues.every(({ pollers }) =>
    pollers.some(({ lastAccessTime }) => now - Number(lastAccessTime?.seconds ?? 0) * 1000 < pollerLife),
  );
}
