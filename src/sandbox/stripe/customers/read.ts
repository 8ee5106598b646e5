import { endpoint } from '../endpoint.js';
import { missing } from '../errors.js';
import { checkPage, pageParameters } from '../pages.js';
import { optional, unmodelled } from '../parameters.js';
import { text } from '../readers.js';

/** A deleted customer can still be asked for, and says so. */
export const retrieveCustomer = endpoint({
  method: 'GET',
  path: '/v1/customers/{id}',
  resource: 'customer',
  parameters: {},
  execute({ records, id }) {
    const customer = records.find('customer', id) ?? records.findRemoved('customer', id);
    if (!customer) throw missing('customer', id, 'id', 404);
    return customer;
  },
});

export const listCustomers = endpoint({
  method: 'GET',
  path: '/v1/customers',
  resource: 'customer',
  list: 'list',
  parameters: { ...pageParameters, ...unmodelled('test_clock'), email: optional(text()) },
  check: checkPage,
  execute: ({ pages, params }) => pages.read('customer', '/v1/customers', params, { email: params.email }),
});
