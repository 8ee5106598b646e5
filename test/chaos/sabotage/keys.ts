import type Stripe from 'stripe';
import type { ActivityDeps } from '../../../src/activities/activities.js';

type Create = (params: object, options: Stripe.RequestOptions) => Promise<unknown>;

/** Replaces the key of every write. Undefined: the request goes out without one. */
export function changeKeys(deps: ActivityDeps, key: () => string | undefined): ActivityDeps {
  const { stripe, resend } = deps;
  const changed = <Options extends { idempotencyKey?: string }>({ idempotencyKey, ...options }: Options) => {
    const replacement = key();
    return { ...options, ...(replacement === undefined ? {} : { idempotencyKey: replacement }) };
  };
  for (const resource of [stripe.paymentIntents, stripe.refunds] as { create: unknown }[]) {
    const create = (resource.create as Create).bind(resource);
    resource.create = (params: object, options: Stripe.RequestOptions) => create(params, changed(options));
  }
  const send = resend.emails.send.bind(resend.emails);
  resend.emails.send = (payload, options) => send(payload, changed(options ?? {}));
  return deps;
}
