import type { PaymentIntent } from '../resources.js';
import { metadata } from '../metadata.js';
import { clearable, optional, required, unmodelled, type Reader, type Values } from '../parameters.js';
import { boolean, email, hash, listOf, oneOf, text, url } from '../readers.js';
import { shipping } from '../shipping.js';

/** The specification's limits. */
const longestDescription = 1000;
const longestDescriptor = 22;

const paymentMethodType = oneOf('card', 'link');

/** What create, update and confirm have in common. The specification is the source of the names. */
export const common = {
  receipt_email: clearable(email),
  shipping: clearable(shipping),
  payment_method: optional(text()),
  payment_method_types: optional(listOf(paymentMethodType)),
  allowed_payment_method_types: optional(listOf(paymentMethodType)),
  capture_method: optional(oneOf('automatic', 'automatic_async', 'manual')),
};

/** Of create and update. */
export const described = {
  description: clearable(text(longestDescription)),
  metadata: clearable(metadata),
  customer: optional(text()),
  statement_descriptor: optional(text(longestDescriptor)),
  statement_descriptor_suffix: optional(text(longestDescriptor)),
  transfer_group: optional(text()),
};

const offSession: Reader<boolean> = (value, param) =>
  value === 'one_off' || value === 'recurring' || boolean(value, param);

export const confirmation = {
  error_on_requires_action: optional(boolean),
  off_session: optional(offSession),
  return_url: optional(url),
  /** How a browser would continue an authentication; nothing here depends on it. */
  use_stripe_sdk: optional(boolean),
};

const automatic = hash({ enabled: required(boolean), allow_redirects: optional(oneOf('always', 'never')) });

export const automaticPaymentMethods: Reader<{ enabled: boolean; allow_redirects: 'always' | 'never' }> = (
  value,
  param,
) => {
  const { enabled, allow_redirects = 'always' } = automatic(value, param);
  return { enabled, allow_redirects };
};

export const notModelled = unmodelled(
  'amount_details',
  'application_fee_amount',
  'confirmation_token',
  'customer_account',
  'excluded_payment_method_types',
  'hooks',
  'mandate',
  'mandate_data',
  'on_behalf_of',
  'payment_details',
  'payment_method_configuration',
  'payment_method_data',
  'payment_method_options',
  'radar_options',
  // It attaches the card to the customer, and nothing here could charge it again.
  'setup_future_usage',
  'transfer_data',
);

/** Those that were given; an empty one clears the field. */
export function changedDetails(
  params: Pick<Values<typeof common>, 'receipt_email' | 'shipping'>,
): Partial<PaymentIntent> {
  const { receipt_email, shipping } = params;
  return {
    ...(receipt_email !== undefined && { receipt_email }),
    ...(shipping !== undefined && { shipping }),
  };
}
