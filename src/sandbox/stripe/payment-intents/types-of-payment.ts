import { invalidRequest } from '../errors.js';
import type { PaymentIntent } from '../resources.js';

export interface TypesAsked {
  payment_method_types?: string[] | undefined;
  allowed_payment_method_types?: ('card' | 'link')[] | undefined;
  automatic_payment_methods?: { enabled: boolean; allow_redirects: 'always' | 'never' } | undefined;
}

type TypesOfPayment = Pick<
  PaymentIntent,
  'allowed_payment_method_types' | 'automatic_payment_methods' | 'payment_method_types'
>;

/** Nothing asked: whatever is switched on in the Dashboard, which includes ways that lead off the page. */
const dashboard: TypesOfPayment = {
  allowed_payment_method_types: null,
  automatic_payment_methods: { enabled: true, allow_redirects: 'always' },
  payment_method_types: ['card', 'link'],
};

export function askedTypes(asked: TypesAsked): string[] | undefined {
  return asked.payment_method_types ?? asked.allowed_payment_method_types;
}

/**
 * `payment_method_types` is the old way to say it and `allowed_payment_method_types` the one that replaces it from
 * version 2026-10-28.endive on; both are taken in every version.
 */
export function acceptedTypes(asked: TypesAsked, before = dashboard): TypesOfPayment {
  const types = askedTypes(asked);
  if (types) {
    return {
      allowed_payment_method_types: asked.allowed_payment_method_types ?? null,
      automatic_payment_methods: null,
      payment_method_types: types,
    };
  }
  const { allowed_payment_method_types, automatic_payment_methods, payment_method_types } = before;
  return {
    allowed_payment_method_types,
    automatic_payment_methods: asked.automatic_payment_methods ?? automatic_payment_methods,
    payment_method_types,
  };
}

export function checkTypes({ automatic_payment_methods, ...asked }: TypesAsked): void {
  const other = Object.entries(asked).find(([, types]) => types !== undefined);
  if (!other || !automatic_payment_methods?.enabled) return;
  throw invalidRequest(`You may only specify one of these parameters: automatic_payment_methods, ${other[0]}.`);
}

/** Cards stay on the page, and so does Link. */
export function allowsRedirects({ automatic_payment_methods: automatic }: TypesOfPayment): boolean {
  return automatic?.enabled === true && automatic.allow_redirects !== 'never';
}

/** Every PaymentMethod there is here is a card. */
export function checkMethod({ payment_method_types: types }: TypesOfPayment): void {
  if (types.includes('card')) return;
  throw invalidRequest(
    'The PaymentMethod provided (card) is not allowed for this PaymentIntent. Please attach a PaymentMethod of one of ' +
      `the following types: ${types.join(', ')}. Alternatively, update the allowed payment_method_types for this ` +
      'PaymentIntent to include "card".',
  );
}

/** The banks of card holders get a prefix of the account's and a suffix, never a whole text. */
export function checkDescriptor(types: readonly string[], descriptor: string | null | undefined): void {
  if (!descriptor || !types.includes('card')) return;
  throw invalidRequest(
    'The statement_descriptor parameter is not supported for the payment_method_type `card`. To continue supporting ' +
      'payment_method_type `card`, please pass in `statement_descriptor_suffix` or remove the `statement_descriptor` ' +
      'parameter altogether.',
    { param: 'statement_descriptor' },
  );
}
