export { createStripeService, type StripeService } from './service.js';
export type { ChargeEffect, RefundEffect, StripeEffects } from './effects.js';
