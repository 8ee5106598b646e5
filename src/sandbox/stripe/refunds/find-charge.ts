import { invalidRequest, missing } from '../errors.js';
import type { Records } from '../records.js';
import type { Charge } from '../resources.js';

/** The charge that is to be given back, named by itself or by its PaymentIntent, in a state that allows it. */
export function findCharge(
  records: Records,
  params: { charge?: string | undefined; payment_intent?: string | undefined },
): Charge {
  const intent =
    params.payment_intent === undefined ? undefined : records.find('payment_intent', params.payment_intent);
  if (params.payment_intent !== undefined && !intent) {
    throw missing('payment_intent', params.payment_intent, 'payment_intent', 404);
  }
  const id = params.charge ?? intent?.latest_charge ?? '';
  const charge = records.find('charge', id);
  if (!charge && params.charge !== undefined) throw missing('charge', params.charge, 'charge', 404);
  if (charge && intent && charge.payment_intent !== intent.id) {
    throw invalidRequest(`Charge ${charge.id} does not belong to PaymentIntent ${intent.id}.`, { param: 'charge' });
  }
  if (charge?.status === 'succeeded' && !charge.captured && !intent) {
    throw invalidRequest(
      `This uncaptured Charge was created by a PaymentIntent (${charge.payment_intent ?? ''}). You must cancel the ` +
        'PaymentIntent to reverse the authorization instead of refunding the Charge directly.',
      { param: 'charge' },
    );
  }
  if (charge?.status !== 'succeeded' || !charge.captured) {
    const what = intent ? `PaymentIntent (${intent.id})` : `charge (${id})`;
    const lack = intent ? 'does not have a successful charge to refund' : 'was not captured, so it cannot be refunded';
    throw invalidRequest(`This ${what} ${lack}.`, { param: intent ? 'payment_intent' : 'charge' });
  }
  if (charge.disputed) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
    throw invalidRequest(message, { code: 'charge_disputed' });
  }
  return charge;
}
