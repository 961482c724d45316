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

/** Validates requests and answers against the document with Ajv. */
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
    const { $ref, ...more } = schema;
    const parts = $ref.slice(2).split('/').map(unescapePart);
    const found = parts.reduce<unknown>(
      (place, part) => (place as Record<string, unknown> | undefined)?.[part],
      this.#document,
    );
    if (!found) throw new Error(`${$ref} is a dangling reference`);
    return this.resolve({ ...(found as Schema), ...more });
  }

  /** Names of the security schemes; empty for a public operation. */
  schemeOf({ security = this.#document.security }: Operation): string {
    return Object.keys(security?.[0] ?? {})[0] ?? '';
  }

  /** In capitals. */
  methodsOf(path: string): string[] {
    return Object.keys(this.#document.paths[path] ?? {}).map((method) => method.toUpperCase());
  }

  bodySchema(operation: Operation, type = 'application/json'): Schema | undefined {
    return operation.requestBody?.content[type]?.schema;
  }

  /** Errors of a JSON body; null if the document allows it. */
  bodyFault(operation: Operation, body: unknown): string | null {
    if (hasLoneSurrogate(body)) return 'a lone surrogate';
    const at = pointer(operation, 'requestBody', 'content', 'application/json', 'schema');
    return this.#fault(`document#${at}`, body);
  }

  answerFault(operation: Operation, status: number, type: string, body: unknown): string | null {
    const at = pointer(operation, 'responses', String(status), 'content', type, 'schema');
    return this.#fault(`document#${at}`, body);
  }

  /** Validator of a subschema. */
  checkOf(schema: Schema): (value: unknown) => boolean {
    // References in a subschema are relative to the whole document.
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
    return this.#compiled(text, () => this.#ajv.compile(JSON.parse(text) as Schema));
  }

  /**
   * Parameters of one location (`query`, `header`, `path`) as received: text, or a list for a
   * repeated name.
   */
  parameterFault(operation: Operation, place: string, given: Record<string, unknown>) {
    const all = (operation.parameters ?? []).map((parameter, i) => ({ ...parameter, i }));
    const here = all.filter((parameter) => parameter.in === place);
    const validate = this.#compiled(`${operation.name} ${place}`, () =>
      this.#ajv.compile({
        type: 'object',
        required: here.filter(({ required }) => required).map(({ name }) => name),
        properties: Object.fromEntries(
          here.map(({ name, i }) => [
            name,
            { $ref: `document#${pointer(operation, 'parameters', String(i), 'schema')}` },
          ]),
        ),
      }),
    );
    const read = here.map(({ name, schema }) => [name, readText(schema, given[name])] as const);
    const value = Object.fromEntries(read.filter(([, each]) => each !== undefined));
    return validate(value) ? null : this.#ajv.errorsText(validate.errors);
  }

  #fault(ref: string, value: unknown): string | null {
    const validate = this.#compiled(ref, () => this.#ajv.compile({ $ref: ref }));
    return validate(value) ? null : this.#ajv.errorsText(validate.errors);
  }

  #compiled(name: string, compile: () => ValidateFunction): ValidateFunction {
    const known = this.#known.get(name) ?? compile();
    this.#known.set(name, known);
    return known;
  }
}

/** Integers are decimal, and null is nothing. */
function readText({ type, anyOf }: Schema, given: unknown): unknown {
  if (typeof given !== 'string') return given;
  if (type === 'integer' && /^-?\d+$/.test(given)) return Number(given);
  return given === '' && anyOf?.some((branch) => branch.type === 'null') ? null : given;
}

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).flat().some(hasLoneSurrogate);
}

const pointer = ({ path, method }: Operation, ...rest: string[]): string =>
  ['', 'paths', path, method.toLowerCase(), ...rest].map(escapePart).join('/');

const escapePart = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

const unescapePart = (part: string): string =>
  decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
