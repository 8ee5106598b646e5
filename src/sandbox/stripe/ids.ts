import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `randomInt` draws from a pool and favours no letter; bytes asked for id by id were a tenth of what a create costs. */
export function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** Lengths and leading digits as seen in Stripe's own answers. */
export const newId = {
  payment_intent: () => `pi_3${randomText(23)}`,
  charge: () => `ch_3${randomText(23)}`,
  refund: () => `re_3${randomText(23)}`,
  payment_method: () => `pm_1${randomText(23)}`,
  customer: () => `cus_${randomText(14)}`,
  request: () => `req_${randomText(14)}`,
  clientSecret: (intent: string) => `${intent}_secret_${randomText(25)}`,
};
