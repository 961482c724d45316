/* The parts of an OpenAPI 3.1 document that the reference shows. */

export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  example?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  deprecated?: boolean;
  not?: Schema;
};

type Content = Record<string, { schema?: Schema }>;

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema?: Schema;
};

export type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses?: Record<string, { description?: string; content?: Content }>;
  security?: Record<string, string[]>[];
};

export type ApiDocument = {
  info: { version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components?: {
    schemas?: Record<string, Schema>;
    securitySchemes?: Record<string, { type: string; description?: string }>;
  };
  security?: Record<string, string[]>[];
};

/** The schema itself, where it is only named. */
export function resolved(document: ApiDocument, schema: Schema): Schema {
  const name = nameOf(schema);
  if (!name) return schema;
  const target = document.components?.schemas?.[name];
  if (!target) throw new Error(`The API document has no schema ${name}`);
  return target;
}

export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

export const variantsOf = (schema: Schema): Schema[] | undefined => schema.anyOf ?? schema.oneOf;
