import { formatAmount } from '../plan/money.js';
import type { Effects } from './effects.js';
import type { FaultName } from './gateway/fault-names.js';

/** Faults after which the caller cannot tell that it happened, although something was sent. */
const misleading = new Set<FaultName | null>([
  ...(['502-after', 'truncate-clean', 'truncate-length', 'truncate-stall', 'empty-200', 'trickle'] as const),
  '500-saved-after',
]);

/** What the page shows of each list: a load test must not drown the browser. */
const newest = 100;

/** Bytes of each text that a caller chooses. A hundred of 1 MB several times a second would be the end of browser and sandbox. */
export const shownBytes = 2_000;

export interface Overview {
  totals: {
    /** One amount per currency, as people write it. */
    charged: string[];
    refunded: string[];
    charges: number;
    refunds: number;
    emails: number;
    requests: number;
    /** Requests whose effect is there although the caller did not get the answer to it. A read has none. */
    lostAnswers: number;
    repeatedKeys: string[];
  };
  charges: (Effects['charges'][number] & { text: string; refundedText: string | null })[];
  refunds: (Effects['refunds'][number] & { text: string })[];
  emails: Effects['emails'];
  requests: (Effects['requests'][number] & { number: number })[];
}

/** The effects as people look at them: totals of everything, the newest of each kind, newest first. */
export function overviewOf({ charges, refunds, emails, requests }: Effects, repeatedKeys: string[]): Overview {
  const paid = charges.filter(({ status }) => status === 'succeeded');
  const currencies = new Map(charges.map(({ id, currency }) => [id, currency]));
  // A refund is of a charge that is there; Stripe's own default stands in to keep the page alive if it ever is not.
  const currencyOf = (refund: { payment_intent: string }): string => currencies.get(refund.payment_intent) ?? 'usd';
  const given = refunds
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .map((refund) => ({ ...refund, currency: currencyOf(refund) }));

  return {
    totals: {
      charged: sums(paid),
      refunded: sums(given),
      charges: charges.length,
      refunds: refunds.length,
      emails: emails.length,
      requests: requests.length,
      lostAnswers: requests.filter(
        ({ method, answer, status, fault }) =>
          method !== 'GET' && answer === 'executed' && (status === null || misleading.has(fault)),
      ).length,
      repeatedKeys,
    },
    charges: latest(charges).map((charge) => ({
      ...charge,
      text: formatAmount(charge.amount, charge.currency),
      refundedText: charge.amount_refunded > 0 ? formatAmount(charge.amount_refunded, charge.currency) : null,
    })),
    refunds: latest(refunds).map((refund) => ({
      ...refund,
      text: formatAmount(refund.amount, currencyOf(refund)),
    })),
    emails: latest(emails).map(({ to, subject, text, ...email }) => ({
      ...email,
      to: Array.isArray(to) ? to.map(shown) : shown(to),
      subject: shown(subject),
      text: text && shown(text),
    })),
    requests: latest(requests.map((request, i) => ({ ...request, number: i + 1 }))).map((request) => ({
      ...request,
      body: shown(request.body),
    })),
  };
}

function shown(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= shownBytes) return text;
  // A character that is cut in the middle is left out.
  return `${bytes
    .subarray(0, shownBytes)
    .toString()
    .replace(/\uFFFD$/, '')}…`;
}

const latest = <T>(items: readonly T[]): T[] => items.slice(-newest).reverse();

function sums(items: readonly { amount: number; currency: string }[]): string[] {
  const byCurrency = new Map<string, number>();
  for (const { amount, currency } of items) byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + amount);
  return [...byCurrency].sort().map(([currency, amount]) => formatAmount(amount, currency));
}
