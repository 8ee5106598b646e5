import { endpoint } from './endpoint.js';

/** Every account of the sandbox has been there since 2024-01-01. */
const openedAt = 1_704_067_200;

const noAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };

/** Nothing is asked of the owner. */
const noRequirements = {
  alternatives: [],
  current_deadline: null,
  currently_due: [],
  disabled_reason: null,
  errors: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
};

const noDescriptors = { statement_descriptor_prefix_kana: null, statement_descriptor_prefix_kanji: null };

/** The key's own account (https://docs.stripe.com/api/accounts/retrieve): the id follows the key, the rest is blank. */
export const retrieveAccount = endpoint({
  method: 'GET',
  path: '/v1/account',
  resource: 'account',
  parameters: {},
  execute: ({ account: { id } }) => ({
    id,
    object: 'account',
    business_profile: {
      annual_revenue: null,
      estimated_worker_count: null,
      mcc: null,
      minority_owned_business_designation: null,
      name: 'Sandbox',
      product_description: null,
      support_address: noAddress,
      support_email: null,
      support_phone: null,
      support_url: null,
      url: null,
    },
    business_type: null,
    capabilities: { card_payments: 'active', transfers: 'active' },
    charges_enabled: true,
    controller: { type: 'account' },
    country: 'US',
    created: openedAt,
    default_currency: 'usd',
    details_submitted: true,
    email: 'sandbox@example.com',
    external_accounts: { object: 'list', data: [], has_more: false, url: `/v1/accounts/${id}/external_accounts` },
    future_requirements: noRequirements,
    metadata: {},
    payouts_enabled: true,
    requirements: noRequirements,
    settings: {
      bacs_debit_payments: { display_name: null, service_user_number: null },
      branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
      card_issuing: { tos_acceptance: { date: null, ip: null } },
      card_payments: {
        decline_on: { avs_failure: false, cvc_failure: false },
        statement_descriptor_prefix: null,
        ...noDescriptors,
      },
      dashboard: { display_name: 'Sandbox', timezone: 'Etc/UTC' },
      invoices: { default_account_tax_ids: null, hosted_payment_method_save: null },
      payments: {
        statement_descriptor: null,
        statement_descriptor_kana: null,
        statement_descriptor_kanji: null,
        ...noDescriptors,
      },
      payouts: {
        debit_negative_balances: true,
        schedule: { delay_days: 2, interval: 'daily' },
        statement_descriptor: null,
      },
      sepa_debit_payments: {},
    },
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: 'standard',
  }),
});
