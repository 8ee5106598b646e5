import { clearable, optional, required } from './parameters.js';
import { hash, text } from './readers.js';

const addressShape = {
  city: clearable(text()),
  country: clearable(text()),
  line1: clearable(text()),
  line2: clearable(text()),
  postal_code: clearable(text()),
  state: clearable(text()),
};

type Address = Record<keyof typeof addressShape, string | null>;

/** Parts that are not given are null in the answer. */
export const address = (value: Parameters<ReturnType<typeof hash>>[0], param: string): Address => {
  const { city, country, line1, line2, postal_code, state } = hash(addressShape)(value, param);
  return {
    city: city ?? null,
    country: country ?? null,
    line1: line1 ?? null,
    line2: line2 ?? null,
    postal_code: postal_code ?? null,
    state: state ?? null,
  };
};

const shippingShape = {
  address: required(address),
  name: required(text()),
  carrier: optional(text()),
  phone: optional(text()),
  tracking_number: optional(text()),
};

interface Shipping {
  address: Address;
  carrier: string | null;
  name: string;
  phone: string | null;
  tracking_number: string | null;
}

export const shipping = (value: Parameters<ReturnType<typeof hash>>[0], param: string): Shipping => {
  const { carrier = null, phone = null, tracking_number = null, ...rest } = hash(shippingShape)(value, param);
  return { ...rest, carrier, phone, tracking_number };
};
