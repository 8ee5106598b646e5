import { endpoint } from '../endpoint.js';
import { optional, unmodelled } from '../parameters.js';
import { findPaymentMethod } from '../payment-methods/find.js';
import { text } from '../readers.js';
import type { PaymentIntent } from '../resources.js';
import { attempt } from './attempt.js';
import { holdEnds } from './expire.js';
import { changedDetails, common, confirmation, notModelled } from './parameters.js';
import { findIntent, missingMethod, missingReturnUrl, requireStatus } from './refusals.js';
import { acceptedTypes, allowsRedirects, checkDescriptor, checkMethod } from './types-of-payment.js';

export const confirmIntent = endpoint({
  method: 'POST',
  path: '/v1/payment_intents/{id}/confirm',
  resource: 'payment_intent',
  parameters: {
    ...common,
    ...confirmation,
    ...notModelled,
    ...unmodelled('amount_to_confirm'),
    client_secret: optional(text()),
  },

  execute({ id, params, records, now, account }) {
    const stored = findIntent(records, id);
    requireStatus(stored, ['requires_confirmation', 'requires_action', 'requires_payment_method'], (status, allowed) =>
      status === 'succeeded'
        ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
        : `You cannot confirm this PaymentIntent because it has a status of ${status}. Only a PaymentIntent with one ` +
          `of the following statuses may be confirmed: ${allowed}.`,
    );
    const methodId = params.payment_method ?? stored.payment_method;
    if (methodId === null) throw missingMethod(stored);

    const intent: PaymentIntent = {
      ...stored,
      ...acceptedTypes(params, stored),
      capture_method: params.capture_method ?? stored.capture_method,
      ...changedDetails(params),
    };
    checkDescriptor(intent.payment_method_types, intent.statement_descriptor);
    if (allowsRedirects(intent) && params.return_url === undefined) throw missingReturnUrl();
    const usable = findPaymentMethod({ records, now }, methodId);
    checkMethod(intent);

    const outcome = attempt(intent, usable, params, { account, now });
    if (usable.isNew) records.insert(usable.method);
    records.replace(outcome.intent);
    if (outcome.charge) records.insert(outcome.charge, holdEnds(outcome.intent, now));
    if (outcome.error) throw outcome.error;
    return outcome.intent;
  },
});
