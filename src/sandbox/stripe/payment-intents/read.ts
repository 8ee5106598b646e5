import { endpoint } from '../endpoint.js';
import { checkPage, pageParameters } from '../pages.js';
import { optional, unmodelled } from '../parameters.js';
import { text } from '../readers.js';
import { findIntent } from './refusals.js';

export const retrieveIntent = endpoint({
  method: 'GET',
  path: '/v1/payment_intents/{id}',
  resource: 'payment_intent',
  parameters: { client_secret: optional(text()) },
  execute: ({ records, id }) => findIntent(records, id),
});

export const listIntents = endpoint({
  method: 'GET',
  path: '/v1/payment_intents',
  resource: 'payment_intent',
  list: 'list',
  parameters: { ...pageParameters, ...unmodelled('customer_account'), customer: optional(text()) },
  check: checkPage,
  execute: ({ pages, params }) =>
    pages.read('payment_intent', '/v1/payment_intents', params, { customer: params.customer }),
});
