import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The subset of JSON Schema that the document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  minProperties?: number;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
};

export type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Content = Record<string, { schema?: Schema }>;
export type OperationObject = {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { description?: string; content?: Content }>;
};

export type ApiDocument = {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks?: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> };
  security?: Record<string, string[]>[];
};

export type Operation = OperationObject & {
  /** In capitals. */
  method: string;
  path: string;
  /** `POST /v1/sessions` */
  name: string;
};

export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([lower, operation]) => {
      const method = lower.toUpperCase();
      return { ...operation, method, path, name: `${method} ${path}` };
    }),
  );
}

/** Validates answers against the document with Ajv. */
export class Rules {
  readonly #document: ApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, strictNumbers: true, allErrors: true });
  readonly #known = new Map<string, ValidateFunction>();

  constructor(document: ApiDocument) {
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, 'document');
  }

  resolve(schema: Schema): Schema {
    if (!schema.$ref) return schema;
    const { $ref, ...siblings } = schema;
    const parts = $ref.slice(2).split('/').map(unescapePart);
    const target = parts.reduce<unknown>(
      (place, part) => (place as Record<string, unknown> | undefined)?.[part],
      this.#document,
    );
    if (!target) throw new Error(`${$ref} is a dangling reference`);
    return this.resolve({ ...(target as Schema), ...siblings });
  }

  /** Name of the security scheme; empty for a public operation. */
  schemeOf({ security = this.#document.security }: Operation): string {
    return Object.keys(security?.[0] ?? {})[0] ?? '';
  }

  bodySchema(operation: Operation, type = 'application/json'): Schema | undefined {
    return operation.requestBody?.content[type]?.schema;
  }

  /** Errors of an answer; null if the document allows it. */
  answerFault(operation: Operation, status: number, type: string, body: unknown): string | null {
    const at = pointer(operation, 'responses', String(status), 'content', type, 'schema');
    const $ref = `document#${at}`;
    const validate = this.#compiled($ref, () => this.#ajv.compile({ $ref }));
    return validate(body) ? null : this.#ajv.errorsText(validate.errors);
  }

  /** Validator of a schema without references. */
  checkOf(schema: Schema): (value: unknown) => boolean {
    return this.#compiled(JSON.stringify(schema), () => this.#ajv.compile(schema));
  }

  #compiled(name: string, compile: () => ValidateFunction): ValidateFunction {
    const validate = this.#known.get(name) ?? compile();
    this.#known.set(name, validate);
    return validate;
  }
}

const pointer = ({ path, method }: Operation, ...parts: string[]): string =>
  ['', 'paths', path, method.toLowerCase(), ...parts].map(escapePart).join('/');

const escapePart = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

const unescapePart = (part: string): string =>
  decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
