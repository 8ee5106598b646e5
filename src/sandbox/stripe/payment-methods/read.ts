import { endpoint } from '../endpoint.js';
import { missing } from '../errors.js';

export const retrievePaymentMethod = endpoint({
  method: 'GET',
  path: '/v1/payment_methods/{id}',
  resource: 'payment_method',
  parameters: {},
  execute({ records, id }) {
    const method = records.find('payment_method', id);
    if (!method) throw missing('PaymentMethod', id, 'payment_method', 404);
    return method;
  },
});
