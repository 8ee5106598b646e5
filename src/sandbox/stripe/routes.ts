import { retrieveAccount } from './account.js';
import { listCharges, retrieveCharge } from './charges/read.js';
import { listCustomers, retrieveCustomer } from './customers/read.js';
import { createCustomer, deleteCustomer, updateCustomer } from './customers/write.js';
import { unescaped } from '../text.js';
import type { Endpoint } from './endpoint.js';
import { StripeError } from './errors.js';
import { cancelIntent } from './payment-intents/cancel.js';
import { captureIntent } from './payment-intents/capture.js';
import { confirmIntent } from './payment-intents/confirm.js';
import { createIntent } from './payment-intents/create.js';
import { listIntents, retrieveIntent } from './payment-intents/read.js';
import { searchIntents } from './payment-intents/search.js';
import { updateIntent } from './payment-intents/update.js';
import { retrievePaymentMethod } from './payment-methods/read.js';
import { createRefund } from './refunds/create.js';
import { listRefunds, retrieveRefund } from './refunds/read.js';

/** Fixed paths stand before those with an `{id}` that would match them too. */
export const endpoints: readonly Endpoint[] = [
  ...[createIntent, listIntents, searchIntents, retrieveIntent, updateIntent],
  ...[confirmIntent, captureIntent, cancelIntent],
  ...[createRefund, listRefunds, retrieveRefund],
  ...[listCharges, retrieveCharge],
  ...[createCustomer, listCustomers, retrieveCustomer, updateCustomer, deleteCustomer],
  ...[retrievePaymentMethod, retrieveAccount],
];

const patterns = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replace('{id}', '([^/]+)')}$`),
}));

export interface Route {
  endpoint: Endpoint;
  id: string;
}

export function route(method: string, path: string): Route {
  for (const { endpoint, pattern } of patterns) {
    const match = endpoint.method === method ? pattern.exec(path) : null;
    if (match) return { endpoint, id: unescaped(match[1] ?? '') };
  }
  const slash = path.endsWith('/')
    ? ' If you are trying to list objects, remove the trailing slash. If you are trying to retrieve an object, make ' +
      'sure you passed a valid (non-empty) identifier in your code.'
    : '';
  const message =
    `Unrecognized request URL (${method}: ${path}).${slash} Please see https://stripe.com/docs or we can help at ` +
    'https://support.stripe.com/.';
  throw new StripeError(404, { type: 'invalid_request_error', message });
}
