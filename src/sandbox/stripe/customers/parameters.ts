import { metadata } from '../metadata.js';
import { clearable, optional, unmodelled } from '../parameters.js';
import { email, integer, listOf, oneOf, text } from '../readers.js';
import { address, shipping } from '../shipping.js';

/** The specification's limits. */
const longestName = 256;
const longestPhone = 20;

export const customerParameters = {
  ...unmodelled('business_name', 'cash_balance', 'individual_name', 'invoice_settings', 'payment_method', 'source'),
  ...unmodelled('tax', 'tax_id_data', 'test_clock', 'default_source'),
  address: clearable(address),
  balance: optional(integer),
  description: clearable(text()),
  email: clearable(email),
  invoice_prefix: optional(text()),
  metadata: clearable(metadata),
  name: clearable(text(longestName)),
  next_invoice_sequence: optional(integer),
  phone: clearable(text(longestPhone)),
  preferred_locales: optional(listOf(text())),
  shipping: clearable(shipping),
  tax_exempt: clearable(oneOf('exempt', 'none', 'reverse')),
};
