import type { Tool } from './plan-schema.js';

/** What an agent gets back from each tool: at most 2 KB, the same whether fresh or replayed. Amounts in minor units. */
export interface ChargeResult {
  /** The PaymentIntent, `pi_…`. */
  id: string;
  status: 'succeeded';
  amount: number;
  amount_formatted: string;
  currency: string;
}

export interface RefundResult {
  /** The refund, `re_…`. */
  id: string;
  status: 'succeeded';
  amount: number;
  amount_formatted: string;
  currency: string;
  /** The PaymentIntent it gave back from. */
  charge: string;
}

export interface EmailResult {
  id: string;
  status: 'sent';
}

export interface LookupChargeResult {
  id: string;
  status: string;
  amount: number;
  amount_formatted: string;
  amount_refunded: number;
  amount_refunded_formatted: string;
  currency: string;
}

export interface ResultOf {
  charge: ChargeResult;
  refund: RefundResult;
  email: EmailResult;
  lookup_charge: LookupChargeResult;
}

export type StepResult = ResultOf[Tool];

/** Stripe's ids are the longest of what can be cited: at most 255 characters (docs.stripe.com/upgrades). */
export const longestCitable = 255;

/** The fields a later step may cite, e.g. `{{payment.amount_formatted}}`; typed so that it cannot fall behind the results. */
export const citableFields: { [T in Tool]: readonly (keyof ResultOf[T] & string)[] } = {
  charge: ['id', 'status', 'amount', 'amount_formatted', 'currency'],
  refund: ['id', 'status', 'amount', 'amount_formatted', 'currency', 'charge'],
  email: ['id', 'status'],
  lookup_charge: [
    'id',
    'status',
    'amount',
    'amount_formatted',
    'amount_refunded',
    'amount_refunded_formatted',
    'currency',
  ],
};
