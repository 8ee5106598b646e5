import type { Answer, Finding } from './answer.js';
import { judge } from './provider-failures.js';
import { failedReply } from './stripe-reply.js';

/** Stripe's largest page. */
export const pageSize = 100;
/** 20,000 objects around one step's asks: beyond that a look ends without a verdict rather than never. */
const maximumObjects = 20_000;

/** What a match is worth: an effect outweighs an attempt that failed. */
const weight = { succeeded: 3, not_final: 2, declined: 1 } as const;

/**
 * Looks for an effect by listing, which shows a write at once; search lags, so it could never prove absence
 * (docs.stripe.com/search). Never throws.
 */
export async function lookByListing<Item, Result>(
  list: AsyncIterable<Item>,
  isOurs: (item: Item) => boolean,
  read: (item: Item, replayed: boolean) => Answer<Result>,
): Promise<Finding<Result>> {
  let best: Finding<Result> = { kind: 'absent' };
  let seen = 0;
  try {
    for await (const item of list) {
      if (++seen > maximumObjects) return undecided(`more than ${maximumObjects} objects to look through`);
      if (!isOurs(item)) continue;
      const found = read(item, true);
      if (rank(found) > rank(best)) best = found;
    }
  } catch (error) {
    return judge(failedReply(error));
  }
  return best;
}

const rank = ({ kind }: Finding<unknown>): number => (kind in weight ? weight[kind as keyof typeof weight] : 0);

const undecided = (message: string): Answer<never> => judge({ message, replayed: false });
