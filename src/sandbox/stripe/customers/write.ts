import { endpoint, seconds } from '../endpoint.js';
import { missing } from '../errors.js';
import { newId, randomText } from '../ids.js';
import { mergeMetadata } from '../metadata.js';
import type { Values } from '../parameters.js';
import type { Customer, DeletedCustomer } from '../resources.js';
import { customerParameters } from './parameters.js';

/** As long as the prefixes that Stripe gives out. */
const invoicePrefixLength = 8;

function changed(customer: Customer, params: Values<typeof customerParameters>): Customer {
  const { metadata, tax_exempt, ...fields } = params;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return {
    ...customer,
    ...given,
    metadata: mergeMetadata(customer.metadata, metadata),
    ...(tax_exempt !== undefined && { tax_exempt: tax_exempt ?? 'none' }),
  };
}

export const createCustomer = endpoint({
  method: 'POST',
  path: '/v1/customers',
  resource: 'customer',
  parameters: customerParameters,
  execute({ params, records, now }) {
    const blank: Customer = {
      id: newId.customer(),
      object: 'customer',
      address: null,
      balance: 0,
      created: seconds(now),
      currency: null,
      default_source: null,
      delinquent: false,
      description: null,
      discount: null,
      email: null,
      invoice_prefix: randomText(invoicePrefixLength).toUpperCase(),
      invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
      livemode: false,
      metadata: {},
      name: null,
      next_invoice_sequence: 1,
      phone: null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: 'none',
      test_clock: null,
    };
    const customer = changed(blank, params);
    records.insert(customer);
    return customer;
  },
});

export const updateCustomer = endpoint({
  method: 'POST',
  path: '/v1/customers/{id}',
  resource: 'customer',
  parameters: customerParameters,
  execute({ id, params, records }) {
    const stored = records.find('customer', id);
    if (!stored) throw missing('customer', id, 'id', 404);
    const customer = changed(stored, params);
    records.replace(customer);
    return customer;
  },
});

export const deleteCustomer = endpoint({
  method: 'DELETE',
  path: '/v1/customers/{id}',
  resource: 'customer',
  parameters: {},
  execute({ id, records }) {
    if (!records.find('customer', id)) throw missing('customer', id, 'id', 404);
    const stub: DeletedCustomer = { id, object: 'customer', deleted: true };
    records.remove('customer', id, stub);
    return stub;
  },
});
