import { checkAnyAmount, checkChargeAmount, currency } from '../amounts.js';
import { findCustomer } from '../customers/find.js';
import { endpoint } from '../endpoint.js';
import { mergeMetadata } from '../metadata.js';
import { optional } from '../parameters.js';
import { findPaymentMethod } from '../payment-methods/find.js';
import { positiveInteger } from '../readers.js';
import type { PaymentIntent } from '../resources.js';
import { changedDetails, common, described, notModelled } from './parameters.js';
import { findIntent, requireStatus } from './refusals.js';
import { acceptedTypes, askedTypes, checkDescriptor, checkMethod } from './types-of-payment.js';

/** What may not change once the money has moved, or never will. */
const fixed = ['amount', 'currency', 'payment_method', 'capture_method', 'customer'] as const;

export const updateIntent = endpoint({
  method: 'POST',
  path: '/v1/payment_intents/{id}',
  resource: 'payment_intent',
  parameters: {
    ...common,
    ...described,
    ...notModelled,
    amount: optional(positiveInteger),
    currency: optional(currency),
  },

  check(params) {
    const { amount, currency, statement_descriptor } = params;
    if (amount !== undefined && currency === undefined) checkAnyAmount(amount);
    if (amount !== undefined && currency !== undefined) checkChargeAmount(amount, currency);
    checkDescriptor(askedTypes(params) ?? [], statement_descriptor);
  },

  execute({ id, params, records, now }) {
    const stored = findIntent(records, id);
    const changed = fixed.find((name) => params[name] !== undefined);
    if (changed) {
      requireStatus(
        stored,
        ['requires_payment_method', 'requires_confirmation', 'requires_action'],
        (status, allowed) =>
          `This PaymentIntent's ${changed} could not be updated because it has a status of ${status}. You may only ` +
          `update the ${changed} of a PaymentIntent with one of the following statuses: ${allowed}.`,
      );
    }
    checkChargeAmount(params.amount ?? stored.amount, params.currency ?? stored.currency);
    if (params.customer !== undefined) findCustomer(records, params.customer);
    const usable =
      params.payment_method === undefined ? undefined : findPaymentMethod({ records, now }, params.payment_method);

    const intent: PaymentIntent = {
      ...stored,
      ...acceptedTypes(params, stored),
      amount: params.amount ?? stored.amount,
      currency: params.currency ?? stored.currency,
      capture_method: params.capture_method ?? stored.capture_method,
      customer: params.customer ?? stored.customer,
      statement_descriptor: params.statement_descriptor ?? stored.statement_descriptor,
      statement_descriptor_suffix: params.statement_descriptor_suffix ?? stored.statement_descriptor_suffix,
      transfer_group: params.transfer_group ?? stored.transfer_group,
      metadata: mergeMetadata(stored.metadata, params.metadata),
      ...changedDetails(params),
      ...(params.description !== undefined && { description: params.description }),
      ...(usable && { payment_method: usable.method.id, status: 'requires_confirmation', next_action: null }),
    };
    if (intent.payment_method !== null) checkMethod(intent);
    checkDescriptor(intent.payment_method_types, intent.statement_descriptor);
    if (usable?.isNew) records.insert(usable.method);
    records.replace(intent);
    return intent;
  },
});
