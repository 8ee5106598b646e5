import { endpoint } from './endpoint.js';

/** What https://docs.stripe.com/api/accounts/retrieve says about the key's own account; the id follows the key. */
export const retrieveAccount = endpoint({
  method: 'GET',
  path: '/v1/account',
  resource: 'account',
  parameters: {},
  execute: ({ account }) => ({
    id: account.id,
    object: 'account',
    business_profile: null,
    business_type: null,
    capabilities: { card_payments: 'active', transfers: 'active' },
    charges_enabled: true,
    controller: { type: 'account' },
    country: 'US',
    default_currency: 'usd',
    details_submitted: true,
    email: null,
    metadata: {},
    payouts_enabled: true,
    type: 'standard',
  }),
});
