import { createHash } from 'node:crypto';

/** What a test payment method does when it is charged. https://docs.stripe.com/testing */
export interface TestCard {
  brand: string;
  last4: string;
  /** Declined by the issuer, or blocked by Stripe itself. */
  decline?: Decline;
  /** Wants 3-D Secure first. */
  authentication?: true;
  /** What becomes of a refund: at once (default), after a while, or at once and then not. */
  refund?: 'pending' | 'fails';
  disputed?: boolean;
  /** What the issuer says of address and security code; it charges all the same unless Radar has a rule. */
  checks?: Partial<Checks>;
}

interface Checks {
  address_line1_check: string | null;
  address_postal_code_check: string | null;
  cvc_check: string | null;
}

export interface Decline {
  code: string;
  decline_code: string;
  message: string;
  advice_code: 'try_again_later' | 'do_not_try_again' | 'confirm_card_data';
  /** ISO 8583; absent when the payment never reached the network. */
  network_decline_code?: string;
  blocked?: boolean;
}

const declined = 'Your card was declined.';

const decline = (
  code: string,
  decline_code: string,
  advice_code: Decline['advice_code'],
  network_decline_code: string,
  message: string,
): Decline => ({ code, decline_code, message, advice_code, network_decline_code });

const generic = decline('card_declined', 'generic_decline', 'try_again_later', '05', declined);
const insufficientFunds = decline(
  'card_declined',
  'insufficient_funds',
  'try_again_later',
  '51',
  'Your card has insufficient funds.',
);
const lost = decline('card_declined', 'lost_card', 'do_not_try_again', '41', declined);
const stolen = decline('card_declined', 'stolen_card', 'do_not_try_again', '43', declined);
const fraudulent = decline('card_declined', 'fraudulent', 'do_not_try_again', '59', declined);
const velocity = decline(
  'card_declined',
  'card_velocity_exceeded',
  'try_again_later',
  '61',
  'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
);
const expired = decline('expired_card', 'expired_card', 'confirm_card_data', '54', 'Your card has expired.');
const incorrectCvc = decline(
  'incorrect_cvc',
  'incorrect_cvc',
  'confirm_card_data',
  'N7',
  "Your card's security code is incorrect.",
);
const processing = decline(
  'processing_error',
  'processing_error',
  'try_again_later',
  '96',
  'An error occurred while processing your card. Try again in a little bit.',
);
const blocked: Decline = {
  code: 'card_declined',
  decline_code: 'fraudulent',
  message: declined,
  advice_code: 'do_not_try_again',
  blocked: true,
};

/** A payment that nobody can authenticate because the customer is not there (`off_session`). */
export const authenticationRequired = decline(
  'authentication_required',
  'authentication_required',
  'try_again_later',
  '1A',
  'Your card was declined. This transaction requires authentication.',
);

const visa = (last4: string, behaviour: Partial<TestCard> = {}): TestCard => ({ brand: 'visa', last4, ...behaviour });

const address = (address_line1_check: string, address_postal_code_check: string): Partial<Checks> => ({
  address_line1_check,
  address_postal_code_check,
});

export function checksOf({ checks }: TestCard): Checks {
  return { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass', ...checks };
}

const cards: ReadonlyMap<string, TestCard> = new Map<string, TestCard>([
  ['pm_card_visa', visa('4242')],
  ['pm_card_visa_debit', visa('5556')],
  ['pm_card_us', visa('4242')],
  ['pm_card_gb', visa('0000')],
  ['pm_card_mastercard', { brand: 'mastercard', last4: '4444' }],
  ['pm_card_mastercard_debit', { brand: 'mastercard', last4: '8210' }],
  ['pm_card_mastercard_prepaid', { brand: 'mastercard', last4: '5100' }],
  ['pm_card_amex', { brand: 'amex', last4: '8431' }],
  ['pm_card_discover', { brand: 'discover', last4: '1117' }],
  ['pm_card_diners', { brand: 'diners', last4: '0004' }],
  ['pm_card_jcb', { brand: 'jcb', last4: '0505' }],
  ['pm_card_unionpay', { brand: 'unionpay', last4: '0005' }],

  ['pm_card_chargeDeclined', visa('0002', { decline: generic })],
  ['pm_card_chargeDeclinedInsufficientFunds', visa('9995', { decline: insufficientFunds })],
  ['pm_card_chargeDeclinedLostCard', visa('9987', { decline: lost })],
  ['pm_card_chargeDeclinedStolenCard', visa('9979', { decline: stolen })],
  ['pm_card_chargeDeclinedFraudulent', visa('0020', { decline: fraudulent })],
  ['pm_card_chargeDeclinedExpiredCard', visa('0069', { decline: expired })],
  ['pm_card_chargeDeclinedIncorrectCvc', visa('0127', { decline: incorrectCvc })],
  ['pm_card_chargeDeclinedProcessingError', visa('0119', { decline: processing })],
  ['pm_card_chargeDeclinedVelocityLimitExceeded', visa('6975', { decline: velocity })],
  ['pm_card_chargeCustomerFail', visa('0341', { decline: generic })],
  ['pm_card_radarBlock', visa('0019', { decline: blocked })],
  ['pm_card_riskLevelHighest', visa('4954', { decline: blocked })],
  ['pm_card_riskLevelElevated', visa('9235')],

  ['pm_card_cvcCheckFail', visa('0101', { checks: { cvc_check: 'fail' } })],
  ['pm_card_avsFail', visa('0010', { checks: address('fail', 'fail') })],
  ['pm_card_avsLine1Fail', visa('0028', { checks: address('fail', 'pass') })],
  ['pm_card_avsZipFail', visa('0036', { checks: address('pass', 'fail') })],
  ['pm_card_avsUnchecked', visa('0044', { checks: address('unavailable', 'unavailable') })],
  ['pm_card_bypassPending', visa('0077')],

  ['pm_card_threeDSecureOptional', visa('3055')],
  ['pm_card_authenticationRequired', visa('3184', { authentication: true })],
  ['pm_card_authenticationRequiredOnSetup', visa('3155', { authentication: true })],
  ['pm_card_threeDSecure2Required', visa('3220', { authentication: true })],
  ['pm_card_threeDSecureRequired', visa('3063', { authentication: true })],
  ['pm_card_threeDSecureRequiredChargeDeclined', visa('1629', { authentication: true })],

  ['pm_card_pendingRefund', visa('7726', { refund: 'pending' })],
  ['pm_card_refundFail', visa('5126', { refund: 'fails' })],
  ['pm_card_createDispute', visa('0259', { disputed: true })],
  ['pm_card_createDisputeProductNotReceived', visa('2685', { disputed: true })],
  // An inquiry is a question, not yet a dispute: the charge can be refunded.
  ['pm_card_createDisputeInquiry', visa('1976')],
]);

/** The declining ones have two names, with and without the brand. */
export function testCard(name: string): TestCard | undefined {
  return cards.get(name.replace('pm_card_visa_chargeDeclined', 'pm_card_chargeDeclined'));
}

/** How long Stripe's fingerprints are. */
const fingerprintLength = 16;

/** Tells one card number from another wherever it turns up, so it also finds the card behind a stored PaymentMethod. */
export function fingerprintOf(card: TestCard): string {
  const number = JSON.stringify([card.brand, card.last4]);
  return createHash('sha256').update(number).digest('base64url').slice(0, fingerprintLength);
}

const byFingerprint: ReadonlyMap<string, TestCard> = new Map(
  [...cards.values()].map((card) => [fingerprintOf(card), card]),
);

export function cardWithFingerprint(fingerprint: string): TestCard | undefined {
  return byFingerprint.get(fingerprint);
}
