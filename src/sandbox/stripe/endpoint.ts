import type { Shape, Values } from './parameters.js';
import type { Pages } from './pages.js';
import type { Records } from './records.js';
import type { ResourceType } from './resources.js';
import type { Search } from './search/search.js';
import type { Account } from './authentication.js';

/** One request, ready to execute. */
export interface Call<P> {
  account: Account;
  /** What stands in the path where the endpoint has `{id}`. */
  id: string;
  params: P;
  expand: readonly string[];
  /** Milliseconds of the sandbox's clock. */
  now: number;
  records: Records;
  pages: Pages;
  search: Search;
}

export interface Endpoint<S extends Shape = Shape> {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  parameters: S;
  /** What the answer is, or is a list of: decides what `expand` may name. */
  resource: ResourceType | 'account';
  list?: 'list' | 'search_result';
  /** Rules that need several parameters but no object: still validation, so still not saved. */
  check?(params: Values<S>): void;
  /** Throws before its first write, unless what it wrote shall stay: a declined PaymentIntent exists. */
  execute(call: Call<Values<S>>): object;
}

/** Keeps the parameters' types inside one endpoint and lets all of them stand in one table. */
export function endpoint<S extends Shape>(definition: Endpoint<S>): Endpoint {
  return definition;
}

/** Stripe's times are whole seconds. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
