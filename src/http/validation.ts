/*
 * Two validators: bodies are validated without type coercion; query strings, paths and headers are
 * text and are converted. Errors are answered as a list of problems (422).
 */
import { AjvCompiler, type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify';
import { problem, type Problem } from '../errors.ts';
import { reduceUnions } from './union-problems.ts';

type ValidateFunction = ReturnType<ReturnType<ReturnType<typeof AjvCompiler>>>;

const common = {
  useDefaults: true,
  removeAdditional: false,
  allErrors: true,
  verbose: true,
  validateSchema: false,
};
const exact = { customOptions: { ...common, coerceTypes: false as const } };
/** With strict numbers, Ajv converts `1e999` to Infinity and then skips its minimum and maximum. */
const converting = {
  customOptions: { ...common, coerceTypes: true as const, strictNumbers: false },
};

/** One per server. Compiles each schema on its first request, which halves the start-up time. */
export function validatorFactory(): BuildCompilerFromPool {
  const pool = AjvCompiler();
  return (externalSchemas) => {
    const forBodies = once(() => pool(externalSchemas, exact));
    const forText = once(() => pool(externalSchemas, converting));
    // Fastify passes the whole route definition, though Ajv's own type names only the schema.
    return (route: unknown) => {
      const { httpPart } = route as { httpPart: string };
      const compile = httpPart === 'body' ? forBodies : forText;
      return lazily(once(() => compile()(route as never)));
    };
  };
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
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

/** Deeper than any valid body. */
const MAX_DEPTH = 32;

/**
 * A few kilobytes of brackets would overflow the stack when serialized for an answer, a hash or a
 * log.
 */
export function refuseDeepBodies(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ body }) => {
    if (!isDeeper(body, MAX_DEPTH)) return;
    throw problem('too_deep', ['body'], `Input should not be nested over ${MAX_DEPTH} deep`, null);
  });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** The `verbose` option adds the invalid value. */
type AjvError = FastifySchemaValidationError & { data?: unknown };

const contexts: Record<string, string> = {
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

/** Upper bound, to limit the size of an answer. */
const MAX_PROBLEMS = 50;

export function toProblems(errors: FastifySchemaValidationError[], context: string): Problem[] {
  const place = contexts[context] ?? context;
  return reduceUnions(errors)
    .slice(0, MAX_PROBLEMS)
    .map((error) => toProblem(error, place));
}

function toProblem(error: AjvError, place: string): Problem {
  const loc = [place, ...readPointer(error.instancePath)];
  const input = withoutSecrets(loc, error.data ?? null);
  if (error.keyword === 'required') {
    loc.push(String(error.params['missingProperty']));
    return { type: 'missing', loc, msg: 'Field required', input };
  }
  // No body.
  if (loc.length === 1 && error.keyword === 'type' && input === null) {
    return { type: 'missing', loc, msg: 'Field required', input };
  }
  const type = types[error.keyword] ?? error.keyword;
  if (error.keyword === 'type') {
    const wanted = String(error.params['type']);
    return { type: `${wanted}_type`, loc, msg: `Input should be a valid ${wanted}`, input };
  }
  if (error.keyword === 'enum') {
    const allowed = (error.params['allowedValues'] as unknown[]).map(
      (value) => `'${String(value)}'`,
    );
    return { type, loc, msg: `Input should be ${allowed.join(' or ')}`, input };
  }
  return { type, loc, msg: `Input ${error.message ?? 'is not valid'}`, input };
}

/** Fields whose values are never repeated in an answer. */
const secrets = new Set<unknown>(['api_key', 'token', 'livekit_token', 'password']);

function withoutSecrets(loc: (string | number)[], input: unknown): unknown {
  if (secrets.has(loc.at(-1))) return HIDDEN;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, secrets.has(name) ? HIDDEN : value]),
  );
}

const HIDDEN = '[hidden]';

const types: Record<string, string> = {
  enum: 'enum',
  minimum: 'greater_than_equal',
  exclusiveMinimum: 'greater_than',
  maximum: 'less_than_equal',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  pattern: 'string_pattern_mismatch',
  maxProperties: 'too_long',
};

/** `/metadata/a` -> ['metadata', 'a']; numbers are list indices. */
function readPointer(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
