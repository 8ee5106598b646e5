/** As much of OpenAPI's dialect as Stripe's specification uses. */
export interface Schema {
  $ref?: string;
  nullable?: boolean;
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  'x-expansionResources'?: { oneOf: Schema[] };
  [keyword: string]: unknown;
}

/** Names that the specification has forgotten although Stripe's own fixtures and recorded answers have them. */
const forgotten: Record<string, readonly string[]> = {
  payment_intent: ['source'],
  charge: ['source'],
  account_payments_settings: ['statement_descriptor_prefix_kana', 'statement_descriptor_prefix_kanji'],
};

/**
 * Turns Stripe's schemas into JSON Schema that is stricter than they are: a property that they do not name is an error,
 * and so is an object where nobody asked for one to be expanded.
 *
 * OpenAPI's `nullable` means "or null", and `x-expansionResources` "an id, or the object when it was asked for".
 */
export function createSchemas(components: Record<string, Schema>): {
  closed(schema: Schema, expand: readonly string[]): Schema;
} {
  return {
    closed(schema, expand) {
      // A component is copied once for each way in which something below it is expanded.
      const $defs: Record<string, Schema> = {};
      const refer = (component: string, paths: readonly string[]): Schema => {
        const name = encodeURIComponent(JSON.stringify([component, paths])).replaceAll('%', '_');
        if (!$defs[name]) {
          $defs[name] = {}; // holds the place while what refers back to it is copied
          $defs[name] = close(components[component] ?? {}, paths, forgotten[component]);
        }
        return { $ref: `#/$defs/${name}` };
      };

      const close = (open: Schema, paths: readonly string[], also: readonly string[] = []): Schema => {
        const { nullable, $ref, properties, items, anyOf, oneOf, additionalProperties, ...rest } = open;
        if (nullable) return { anyOf: [{ type: 'null' }, close({ ...open, nullable: false }, paths, also)] };
        if ($ref) return refer($ref.replace('#/components/schemas/', ''), paths);
        const either = anyOf ?? oneOf;
        if (open['x-expansionResources'] && either) {
          const isExpanded = paths.includes('');
          const wanted = either.filter((choice) => (choice.type === 'string') !== isExpanded);
          return { anyOf: wanted.map((choice) => close(choice, paths)) };
        }
        return {
          ...Object.fromEntries(Object.entries(rest).filter(([keyword]) => !keyword.startsWith('x-'))),
          ...(either && { anyOf: either.map((choice) => close(choice, paths)) }),
          ...(items && { items: close(items, paths) }),
          ...(typeof additionalProperties === 'object'
            ? { additionalProperties: close(additionalProperties, paths) }
            : additionalProperties !== undefined && { additionalProperties }),
          ...(properties && {
            properties: Object.fromEntries([
              ...Object.entries(properties).map(([name, property]) => [name, close(property, below(paths, name))]),
              ...also.map((name) => [name, {}]),
            ]) as Record<string, Schema>,
            additionalProperties: additionalProperties ?? false,
          }),
        };
      };
      const root = close(schema, expand);
      return { ...root, $defs };
    },
  };
}

/** What of `paths` lies below the property `name`; an empty path is the property itself. */
function below(paths: readonly string[], name: string): string[] {
  return paths.flatMap((path) => {
    if (path === name) return [''];
    return path.startsWith(`${name}.`) ? ['', path.slice(name.length + 1)] : [];
  });
}
