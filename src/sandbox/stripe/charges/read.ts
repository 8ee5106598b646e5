import { endpoint } from '../endpoint.js';
import { missing } from '../errors.js';
import { checkPage, pageParameters } from '../pages.js';
import { optional, unmodelled } from '../parameters.js';
import { text } from '../readers.js';

export const retrieveCharge = endpoint({
  method: 'GET',
  path: '/v1/charges/{id}',
  resource: 'charge',
  parameters: {},
  execute({ records, id }) {
    const charge = records.find('charge', id);
    if (!charge) throw missing('charge', id, 'id', 404);
    return charge;
  },
});

export const listCharges = endpoint({
  method: 'GET',
  path: '/v1/charges',
  resource: 'charge',
  list: 'list',
  parameters: {
    ...pageParameters,
    ...unmodelled('transfer_group'),
    customer: optional(text()),
    payment_intent: optional(text()),
  },
  check: checkPage,
  execute: ({ pages, params }) =>
    pages.read('charge', '/v1/charges', params, { customer: params.customer, payment_intent: params.payment_intent }),
});
