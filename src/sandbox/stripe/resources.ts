import type Stripe from 'stripe';

/**
 * The objects as they are stored: the official client's types, so that the compiler notices a field that is missing,
 * with references not yet expanded and without fields younger than `defaultVersion`.
 */
export type PaymentIntent = Omit<Stripe.PaymentIntent, 'payment_record'> & {
  customer: string | null;
  latest_charge: string | null;
  payment_method: string | null;
};

export type Charge = Stripe.Charge & {
  customer: string | null;
  payment_intent: string | null;
};

export type Refund = Stripe.Refund & {
  charge: string;
  customer: string | null;
  payment_intent: string;
  status: 'pending' | 'succeeded' | 'failed';
};

export type Customer = Omit<Stripe.Customer, 'deleted'>;

export type DeletedCustomer = Stripe.DeletedCustomer;

export type PaymentMethod = Stripe.PaymentMethod & { customer: string | null };

export interface ResourceTypes {
  payment_intent: PaymentIntent;
  charge: Charge;
  refund: Refund;
  customer: Customer;
  payment_method: PaymentMethod;
}

export type ResourceType = keyof ResourceTypes;

export type Resource = ResourceTypes[ResourceType];

/** The version of Stripe's public specification that these shapes were compared with. */
export const defaultVersion = '2026-08-26.dahlia';
