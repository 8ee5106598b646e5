import type { RequestEntry } from './gateway/request-log.js';
import type { Email } from './mail/outbox.js';
import type { createStripeService } from './stripe/index.js';

type StripeEffects = ReturnType<ReturnType<typeof createStripeService>['effects']>;

/** The truth: what happened in the outside world, whatever anybody was told about it. */
export interface Effects {
  charges: StripeEffects['charges'];
  refunds: StripeEffects['refunds'];
  emails: Email[];
  /** One entry for each HTTP request that the Stripe and mail ports received. */
  requests: RequestEntry[];
}
