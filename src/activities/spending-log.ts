import { ApplicationFailure } from '@temporalio/activity';
import type { Logger } from 'pino';
import type { Acted } from '../plan/step-failure.js';
import type { StepInput } from './step-input.js';

/** What an agent spends is logged, with the key: one line for every attempt, whatever comes of it. */
export async function logSpending<Result>(
  log: Logger,
  { key, namespace, workflowId, stepIndex, purpose, tool, args }: StepInput<object>,
  attempt: number,
  spend: () => Promise<Acted<Result>>,
): Promise<Acted<Result>> {
  const line = {
    key,
    namespace,
    workflowId,
    step: stepIndex,
    purpose,
    tool,
    attempt,
    ...('amount' in args ? { amount: args.amount } : {}),
    ...('currency' in args ? { currency: args.currency } : {}),
  };
  try {
    const acted = await spend();
    const { answeredBy, replays } = acted.receipt;
    log.info({ ...line, outcome: 'succeeded', answeredBy, replays }, 'attempt to spend');
    return acted;
  } catch (error) {
    const outcome = error instanceof ApplicationFailure ? error.type : error instanceof Error ? error.name : 'error';
    log.warn({ ...line, outcome, reason: error instanceof Error ? error.message : String(error) }, 'attempt to spend');
    throw error;
  }
}
