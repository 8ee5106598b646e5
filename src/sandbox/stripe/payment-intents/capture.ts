import { checkStep, formatAmount } from '../amounts.js';
import { endpoint } from '../endpoint.js';
import { invalidRequest } from '../errors.js';
import { metadata, mergeMetadata } from '../metadata.js';
import { clearable, optional, unmodelled } from '../parameters.js';
import { positiveInteger } from '../readers.js';
import type { PaymentIntent } from '../resources.js';
import { findIntent, requireStatus } from './refusals.js';

export const captureIntent = endpoint({
  method: 'POST',
  path: '/v1/payment_intents/{id}/capture',
  resource: 'payment_intent',
  parameters: {
    ...unmodelled('amount_details', 'application_fee_amount', 'final_capture', 'hooks', 'payment_details'),
    ...unmodelled('statement_descriptor', 'statement_descriptor_suffix', 'transfer_data'),
    amount_to_capture: optional(positiveInteger),
    metadata: clearable(metadata),
  },

  execute({ id, params, records }) {
    const stored = findIntent(records, id);
    requireStatus(
      stored,
      ['requires_capture'],
      (status, allowed) =>
        `This PaymentIntent could not be captured because it has a status of ${status}. Only a PaymentIntent with one ` +
        `of the following statuses may be captured: ${allowed}.`,
    );
    const amount = params.amount_to_capture ?? stored.amount_capturable;
    checkStep(amount, stored.currency, 'amount_to_capture');
    if (amount > stored.amount_capturable) {
      const [asked, authorized] = [amount, stored.amount_capturable].map((each) => formatAmount(each, stored.currency));
      throw invalidRequest(`Capture amount (${asked}) is greater than the authorized amount (${authorized}).`, {
        code: 'amount_too_large',
        param: 'amount_to_capture',
      });
    }

    const intent: PaymentIntent = {
      ...stored,
      status: 'succeeded',
      amount_capturable: 0,
      amount_received: amount,
      metadata: mergeMetadata(stored.metadata, params.metadata),
    };
    records.replace(intent);
    const charge = records.find('charge', stored.latest_charge ?? '');
    if (charge) records.replace({ ...charge, captured: true, amount_captured: amount });
    return intent;
  },
});
