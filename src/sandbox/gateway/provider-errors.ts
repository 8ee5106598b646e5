import type { ServiceRequest } from '../service.js';
import type { Answer } from './exchange.js';

/** The errors that the gateway answers in a provider's place, in that provider's own shape. */
export interface ProviderErrors {
  rateLimit(request: ServiceRequest): Answer;
  /** Stripe has been seen to answer its rate limit with status 400: github.com/stripe/stripe-node/issues/2223. */
  rateLimitAs400(request: ServiceRequest): Answer;
  lockTimeout(request: ServiceRequest): Answer;
  inFlight(request: ServiceRequest): Answer;
  rejected(request: ServiceRequest): Answer;
  mismatch(request: ServiceRequest): Answer;
  tooLarge(request: ServiceRequest): Answer;
}

/** What a load balancer in front of the provider says: not the provider's word, and not JSON. */
export const badGateway: Answer = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n',
};
