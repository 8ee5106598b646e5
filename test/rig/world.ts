import type { Sandbox } from '../../src/sandbox/sandbox.js';

/** What the outside world saw, in the few numbers that most tests are about. */
export function world(sandbox: Sandbox) {
  const { charges, refunds, emails, requests } = sandbox.effects();
  const paid = charges.filter(({ status }) => status === 'succeeded');
  const refunded = refunds.filter(({ status }) => status === 'succeeded');
  const sum = (items: { amount: number }[]): number => items.reduce((total, { amount }) => total + amount, 0);
  return {
    charged: paid.map(({ amount }) => amount),
    refunded: refunded.map(({ amount }) => amount),
    emails: emails.length,
    /** What the customers are out of pocket. */
    net: sum(paid) - sum(refunded),
    posts: requests.filter(({ method }) => method === 'POST').map(({ path }) => path),
  };
}
