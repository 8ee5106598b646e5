import { checkChargeAmount, currency } from '../amounts.js';
import { findCustomer } from '../customers/find.js';
import { endpoint, seconds } from '../endpoint.js';
import { invalidRequest } from '../errors.js';
import { newId } from '../ids.js';
import { mergeMetadata } from '../metadata.js';
import { optional, required } from '../parameters.js';
import { findPaymentMethod } from '../payment-methods/find.js';
import { boolean, oneOf, positiveInteger } from '../readers.js';
import type { PaymentIntent } from '../resources.js';
import { attempt, type Attempt } from './attempt.js';
import { holdEnds } from './expire.js';
import { automaticPaymentMethods, common, confirmation, described, notModelled } from './parameters.js';
import { missingMethod, missingReturnUrl } from './refusals.js';
import { acceptedTypes, allowsRedirects, checkDescriptor, checkMethod, checkTypes } from './types-of-payment.js';

export const createIntent = endpoint({
  method: 'POST',
  path: '/v1/payment_intents',
  resource: 'payment_intent',
  parameters: {
    ...common,
    ...described,
    ...confirmation,
    ...notModelled,
    amount: required(positiveInteger),
    automatic_payment_methods: optional(automaticPaymentMethods),
    confirm: optional(boolean),
    confirmation_method: optional(oneOf('automatic', 'manual')),
    currency: required(currency),
  },

  check(params) {
    checkChargeAmount(params.amount, params.currency);
    const { payment_method_types, allowed_payment_method_types, automatic_payment_methods } = params;
    checkTypes({ payment_method_types, allowed_payment_method_types, automatic_payment_methods });
    checkDescriptor(acceptedTypes(params).payment_method_types, params.statement_descriptor);
    if (params.confirm) {
      if (params.payment_method === undefined) throw missingMethod();
      if (allowsRedirects(acceptedTypes(params)) && params.return_url === undefined) throw missingReturnUrl();
      return;
    }
    for (const param of ['error_on_requires_action', 'off_session', 'return_url'] as const) {
      if (params[param] === undefined) continue;
      throw invalidRequest(`The parameter ${param} can only be passed when confirm is set to true.`, { param });
    }
  },

  execute({ params, records, now, account }) {
    if (params.customer !== undefined) findCustomer(records, params.customer);
    const usable =
      params.payment_method === undefined ? undefined : findPaymentMethod({ records, now }, params.payment_method);
    const types = acceptedTypes(params);
    if (usable) checkMethod(types);

    const id = newId.payment_intent();
    const intent: PaymentIntent = {
      id,
      object: 'payment_intent',
      ...types,
      amount: params.amount,
      amount_capturable: 0,
      amount_details: { tip: {} },
      amount_received: 0,
      application: null,
      application_fee_amount: null,
      canceled_at: null,
      cancellation_reason: null,
      capture_method: params.capture_method ?? 'automatic_async',
      client_secret: newId.clientSecret(id),
      confirmation_method: params.confirmation_method ?? 'automatic',
      created: seconds(now),
      currency: params.currency,
      customer: params.customer ?? null,
      customer_account: null,
      description: params.description ?? null,
      excluded_payment_method_types: null,
      last_payment_error: null,
      latest_charge: null,
      livemode: false,
      managed_payments: null,
      metadata: mergeMetadata({}, params.metadata),
      next_action: null,
      on_behalf_of: null,
      payment_method: usable?.method.id ?? null,
      payment_method_configuration_details: null,
      payment_method_options: {
        card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
      },
      processing: null,
      receipt_email: params.receipt_email ?? null,
      review: null,
      setup_future_usage: null,
      shipping: params.shipping ?? null,
      source: null,
      statement_descriptor: params.statement_descriptor ?? null,
      statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
      status: usable ? 'requires_confirmation' : 'requires_payment_method',
      transfer_data: null,
      transfer_group: params.transfer_group ?? null,
    };

    const outcome: Attempt = params.confirm && usable ? attempt(intent, usable, params, { account, now }) : { intent };
    if (usable?.isNew) records.insert(usable.method);
    records.insert(outcome.intent);
    if (outcome.charge) records.insert(outcome.charge, holdEnds(outcome.intent, now));
    if (outcome.error) throw outcome.error;
    return outcome.intent;
  },
});
