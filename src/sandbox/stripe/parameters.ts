import { didYouMean } from './did-you-mean.js';
import { invalidRequest } from './errors.js';
import type { Branch, Tree } from './form.js';

/** Turns a parameter into its value or throws the 400 that Stripe gives. `param` is its full name, `shipping[name]`. */
export type Reader<T> = (value: Branch, param: string) => T;

export interface Field<T> {
  read: Reader<T>;
  required: boolean;
  /** An empty value unsets the field; elsewhere it is refused. */
  clearable: boolean;
}

export type Shape = Record<string, Field<unknown>>;

export type Values<S extends Shape> = { [name in keyof S]: S[name] extends Field<infer T> ? T : never };

export const required = <T>(read: Reader<T>): Field<T> => ({ read, required: true, clearable: false });

export const optional = <T>(read: Reader<T>): Field<T | undefined> => ({ read, required: false, clearable: false });

export const clearable = <T>(read: Reader<T>): Field<T | null | undefined> => ({
  read,
  required: false,
  clearable: true,
});

/** Parameters of Stripe's that have an effect the sandbox does not model: to ignore one would be a lie. */
export function unmodelled<N extends string>(...names: N[]): Record<N, Field<undefined>> {
  const refuse: Reader<undefined> = (_value, param) => {
    throw invalidRequest(`This sandbox does not model the parameter ${param}.`, { param });
  };
  return Object.fromEntries(names.map((name) => [name, optional(refuse)])) as Record<N, Field<undefined>>;
}

/**
 * Schema validation: unknown, missing and mistyped parameters. What fails here has not begun to execute, so nothing
 * is saved under the idempotency key (https://docs.stripe.com/api/idempotent_requests).
 */
export function readParameters<S extends Shape>(tree: Tree, shape: S, parent?: string): Values<S> {
  const nameOf = (name: string): string => (parent ? `${parent}[${name}]` : name);
  const [unknown, ...others] = Object.keys(tree).filter((name) => !Object.hasOwn(shape, name));
  if (unknown !== undefined) {
    const hint = others.length === 0 && didYouMean(unknown, Object.keys(shape));
    const names = [unknown, ...others].map(nameOf).join(', ');
    const message = `Received unknown parameter${others.length > 0 ? 's' : ''}: ${names}`;
    const question = hint ? `. Did you mean ${hint}?` : '';
    throw invalidRequest(message + question, { code: 'parameter_unknown', param: nameOf(unknown) });
  }
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape)) {
    values[name] = readField(tree[name], field, nameOf(name));
  }
  return values as Values<S>;
}

function readField(value: Branch | undefined, field: Field<unknown>, param: string): unknown {
  if (value === undefined) {
    if (!field.required) return undefined;
    throw invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }
  if (value !== '') return field.read(value, param);
  if (field.clearable) return null;
  const message =
    `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a field; however ` +
    `'${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`;
  throw invalidRequest(message, { code: 'parameter_invalid_empty', param });
}
