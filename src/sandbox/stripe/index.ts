export { createStripeService, type StripeService } from './service.js';
