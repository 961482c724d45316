/* The part of an OpenAPI 3.1 document that clients are made from. */

export type Schema = {
  $ref?: string;
  $id?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  patternProperties?: Record<string, Schema>;
  contentMediaType?: string;
  description?: string;
  deprecated?: boolean;
};

type Content = Record<string, { schema?: Schema }>;

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
};

export type DocumentedOperation = {
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { description?: string; content?: Content }>;
};

export type OpenApi = {
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedOperation }>;
  components: { schemas: Record<string, Schema> };
};

export const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** The alternatives of a schema, without those kept for older clients; itself if it has none. */
export const variantsOf = (schema: Schema): Schema[] =>
  (schema.anyOf ?? schema.oneOf ?? [schema]).filter(({ deprecated }) => !deprecated);

export function resolve({ components }: OpenApi, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const definition = components.schemas[refName(schema.$ref)];
  if (!definition) throw new Error(`No schema ${schema.$ref}`);
  return resolve({ components } as OpenApi, definition);
}

/** A schema that no value fits: the field is refused. */
export const isImpossible = ({ not }: Schema): boolean =>
  not !== undefined && Object.keys(not).length === 0;

/** Names of all schemas that the given ones need, themselves not included. */
export function referenced(document: OpenApi, schemas: Schema[]): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as Schema;
    if (typeof $ref === 'string' && !names.has(refName($ref))) {
      names.add(refName($ref));
      visit(resolve(document, { $ref }));
    }
    for (const [key, each] of Object.entries(value)) if (key !== 'discriminator') visit(each);
  };
  visit(schemas);
  return names;
}
