/*
 * Stands in for `@temporalio/workflow`, so that the search drives the real workflow code: every activity it calls is
 * handed to the model, which decides what comes of it.
 */
import { ActivityFailure, ApplicationFailure, CancelledFailure } from '@temporalio/common';

export { ActivityFailure, ApplicationFailure, CancelledFailure };

/** The model cancels nothing. */
export const isCancellation = (): boolean => false;

export interface WorkflowHost {
  info: { namespace: string; workflowId: string; runId: string; startTime: Date; memo: Record<string, unknown> };
  /** Calls an activity; its last attempt's result or an `ActivityFailure`. */
  call(name: string, input: unknown): Promise<unknown>;
  /** The latest handler of each query and update. */
  handlers: Map<string, (...args: never[]) => unknown>;
}

let host: WorkflowHost | undefined;

/** From now on the workflow code that runs is that of `next`: one at a time, as nothing else runs meanwhile. */
export function setHost(next: WorkflowHost): void {
  host = next;
}

function current(): WorkflowHost {
  if (!host) throw new Error('no workflow runs');
  return host;
}

type Options = Record<string, unknown>;

/** Called either way: `activities.name(input)` or `activities.name.executeWithOptions(options, [input])`. */
const activities = new Proxy(
  {},
  {
    get: (_, name: string) =>
      Object.assign((input: unknown) => current().call(name, input), {
        executeWithOptions: (_options: Options, [input]: [unknown]) => current().call(name, input),
      }),
  },
);

export const proxyActivities = (): unknown => activities;
export const proxyLocalActivities = (): unknown => activities;

export const workflowInfo = (): WorkflowHost['info'] => current().info;

export const ActivityCancellationType = { WAIT_CANCELLATION_COMPLETED: 'WAIT_CANCELLATION_COMPLETED' };

export const CancellationScope = {
  nonCancellable: <Value>(code: () => Promise<Value>): Promise<Value> => code(),
  current: () => ({ consideredCancelled: false }),
};

export const defineQuery = (name: string) => ({ name });
export const defineUpdate = (name: string) => ({ name });

export function setHandler({ name }: { name: string }, handler: (...args: never[]) => unknown): void {
  current().handlers.set(name, handler);
}

export const setCurrentDetails = (): void => undefined;
export const upsertMemo = (): void => undefined;

/** The model's plans need no approval. */
export const condition = (): Promise<never> => Promise.reject(new Error('nothing to wait for'));
