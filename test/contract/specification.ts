import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { createSchemas, type Schema } from './schemas.js';

interface OpenApi {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: { 'application/json': { schema: Schema } } }> }>
  >;
  components: { schemas: Record<string, Schema> };
}

export interface Reply {
  method: string;
  path: string;
  /** What the request asked to have expanded; everything else has to be an id. */
  expand: readonly string[];
  status: number;
  body: unknown;
}

/** What is wrong with a reply, by Stripe's published specification. */
export type Specification = (reply: Reply) => string[];

export function readSpecification(openapi: string): Specification {
  const { paths, components } = JSON.parse(readFileSync(join(openapi, 'spec3.json'), 'utf8')) as OpenApi;
  const schemas = createSchemas(components.schemas);
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
  const compiled = new Map<string, ValidateFunction>();
  const patterns = Object.keys(paths).map((path) => ({
    path,
    // `/v1/payment_intents/search` is a path of its own and no PaymentIntent.
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '(?!search$)[^/]+')}$`),
  }));

  return ({ method, path, expand, status, body }) => {
    const known = patterns.find(({ pattern }) => pattern.test(path))?.path;
    const operation = known === undefined ? undefined : paths[known]?.[method.toLowerCase()];
    if (status === 200 && !operation) return [`${method} ${path} is not in the specification`];
    const schema: Schema =
      status === 200 && operation
        ? (operation.responses['200']?.content['application/json'].schema ?? {})
        : { $ref: '#/components/schemas/error' };
    const name = JSON.stringify([status === 200 ? [method, known] : 'error', [...expand].sort()]);
    const validate = compiled.get(name) ?? ajv.compile(schemas.closed(schema, status === 200 ? expand : []));
    compiled.set(name, validate);
    if (validate(body)) return [];
    const errors = validate.errors ?? [];
    // Of a choice that nothing fits, what is wrong with each of its branches says more.
    const causes = errors.filter(({ keyword, params }) => keyword !== 'anyOf' && params['type'] !== 'null');
    return (causes.length > 0 ? causes : errors).map(
      ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}
