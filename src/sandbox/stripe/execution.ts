import type { SandboxDatabase } from '../database.js';
import type { Injection, OnCommit } from '../service.js';
import { StripeError, serverError } from './errors.js';
import { checkExpand, expand } from './expand.js';
import type { Commit } from '../group-commit.js';
import type { Answer, Work } from './idempotency.js';
import { createPages } from './pages.js';
import { optional, readParameters } from './parameters.js';
import { listOf, text } from './readers.js';
import { createRecords } from './records.js';
import type { Asked } from './request.js';
import { errorAnswer, indentation } from './response.js';
import { createSearch } from './search/search.js';
import { createSettlement } from './settlement.js';

const expandParameter = { expand: optional(listOf(text())) };

export interface Execution {
  /** Validates, and returns what is left to do. */
  begin(asked: Asked, injection: Injection, onCommit?: OnCommit): Work;
  /** Does it, for a request without a key. */
  run(work: Work): Promise<Answer>;
  /** Lets happen what is due, for somebody who looks from outside. */
  settle(): void;
}

/** Runs endpoints. Everything up to the returned work leaves no trace, everything in it is answered for good. */
export function createExecution(
  database: SandboxDatabase,
  commit: Commit,
  now: () => number,
  searchLagMs: () => number,
): Execution {
  const recordsOf = createRecords(database);
  const pagesOf = createPages(database);
  const searchOf = createSearch(database, searchLagMs);
  const settle = createSettlement(database, recordsOf);
  const settleNow = database.transaction(() => settle(now()));

  return {
    begin({ endpoint, id, account, key, tree }, { delay, savedFailure }, onCommit) {
      const { expand: paths = [], ...params } = readParameters(tree, { ...endpoint.parameters, ...expandParameter });
      checkExpand(paths, endpoint.resource, endpoint.list);
      endpoint.check?.(params);

      const execute = (): object => {
        const time = now();
        settle(time);
        const records = recordsOf({ account: account.space, key, now: time });
        const pages = pagesOf(account.space);
        const search = searchOf(account.space, time);
        const answer = endpoint.execute({ account, id, params, expand: paths, now: time, records, pages, search });
        return expand(answer, paths, records);
      };
      return {
        ready: delay?.() ?? Promise.resolve(),
        execute: () => {
          if (endpoint.method !== 'GET') onCommit?.();
          if (savedFailure === 'instead') return errorAnswer(serverError());
          const answer = answerOf(execute);
          return savedFailure === 'after' ? errorAnswer(serverError()) : answer;
        },
      };
    },
    async run(work) {
      await work.ready;
      return commit(() => work.execute());
    },
    settle: () => settleNow.immediate(),
  };
}

/** An error of Stripe's is an answer like any other, and does not undo what was written: a decline has a charge. */
function answerOf(execute: () => object): Answer {
  try {
    return { status: 200, body: JSON.stringify(execute(), null, indentation) };
  } catch (error) {
    if (error instanceof StripeError) return errorAnswer(error);
    throw error;
  }
}
