import { missing } from '../errors.js';
import type { Records } from '../records.js';
import type { Customer } from '../resources.js';

/** A customer that another object refers to; deleted ones are gone for that. */
export function findCustomer(records: Records, id: string): Customer {
  const customer = records.find('customer', id);
  if (customer) return customer;
  throw missing('customer', id, 'customer', 400);
}
