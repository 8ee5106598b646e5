import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes from here on would favour the first letters of the alphabet and are thrown away. */
const unbiased = 256 - (256 % alphabet.length);

export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < unbiased && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
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
