import { endpoint } from '../endpoint.js';
import { missing } from '../errors.js';
import { checkPage, pageParameters } from '../pages.js';
import { optional } from '../parameters.js';
import { text } from '../readers.js';

export const retrieveRefund = endpoint({
  method: 'GET',
  path: '/v1/refunds/{id}',
  resource: 'refund',
  parameters: {},
  execute({ records, id }) {
    const refund = records.find('refund', id);
    if (!refund) throw missing('refund', id, 'id', 404);
    return refund;
  },
});

export const listRefunds = endpoint({
  method: 'GET',
  path: '/v1/refunds',
  resource: 'refund',
  list: 'list',
  parameters: { ...pageParameters, charge: optional(text()), payment_intent: optional(text()) },
  check: checkPage,
  execute: ({ pages, params }) =>
    pages.read('refund', '/v1/refunds', params, { charge: params.charge, payment_intent: params.payment_intent }),
});
