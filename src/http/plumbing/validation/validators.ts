/*
 * Two validators: bodies are validated as they are; query strings, paths and headers are text,
 * whose decimal integers become numbers first. Ajv's own conversion also takes `0x10`,
 * `1e1` and ` 5 `.
 */
import { AjvCompiler, type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import { once } from '#shared/once.ts';
import { valueOf } from '#shared/value-of.ts';

type ValidateFunction = ReturnType<ReturnType<ReturnType<typeof AjvCompiler>>>;

const options = {
  customOptions: {
    useDefaults: true,
    removeAdditional: false,
    allErrors: true,
    verbose: true,
    validateSchema: false,
    coerceTypes: false as const,
  },
};

/**
 * Compiles each schema on its first request, which halves the start-up time. Servers with the same
 * shared schemas use the same validators.
 */
export function validatorFactory(): BuildCompilerFromPool {
  const pool = AjvCompiler();
  const compiledBy = new Map<unknown, Map<string, ValidateFunction>>();
  return (externalSchemas) => {
    const compiler = once(() => pool(externalSchemas, options));
    const compile = (route: { schema: object }): ValidateFunction => {
      const compiled = valueOf(compiledBy, compiler(), () => new Map<string, ValidateFunction>());
      // Fastify gives Ajv a new object in each server.
      return valueOf(compiled, JSON.stringify(route.schema), () => compiler()(route as never));
    };
    // Fastify passes the whole route definition, though Ajv's own type names only the schema.
    return (route: unknown) => {
      const { httpPart, schema } = route as { httpPart: string; schema: TextSchema };
      const validate = lazily(once(() => compile({ schema })));
      return httpPart === 'body' ? validate : ofText(schema, validate);
    };
  };
}

/** Forwards Ajv's `errors` property, which holds the errors of the last call. */
function lazily(compiled: () => ValidateFunction): ValidateFunction {
  const validate = (data: unknown) => {
    const compiledValidate = compiled();
    const isValid = compiledValidate(data);
    validate.errors = compiledValidate.errors;
    return isValid;
  };
  validate.errors = undefined as ValidateFunction['errors'];
  return validate as ValidateFunction;
}

/** Schema of parameters or headers: always a flat object. */
type TextSchema = {
  properties?: Record<string, { type?: string; anyOf?: readonly { type?: string }[] }>;
};

function ofText({ properties = {} }: TextSchema, validate: ValidateFunction): ValidateFunction {
  const entries = Object.entries(properties);
  const integers = entries.filter(([, { type }]) => type === 'integer').map(([name]) => name);
  const nullable = entries
    .filter(([, { anyOf }]) => anyOf?.some(({ type }) => type === 'null'))
    .map(([name]) => name);
  if (integers.length + nullable.length === 0) return validate;

  const converting = (data: Record<string, unknown>) => {
    for (const name of integers) data[name] = toInteger(data[name]);
    for (const name of nullable) if (data[name] === '') data[name] = null;
    const isValid = validate(data);
    converting.errors = validate.errors;
    return isValid;
  };
  converting.errors = undefined as ValidateFunction['errors'];
  return converting as ValidateFunction;
}

/** Returns the same value unless it is a decimal integer that a double holds exactly. */
function toInteger(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
