/* Answers failed validation as a list of problems (422). */
import type { FastifySchemaValidationError } from 'fastify';
import { nearestName } from '#shared/nearest-name.ts';
import type { Problem } from '../../../errors.ts';
import { Echo } from './echo.ts';
import { reduceUnions } from './union-problems.ts';

/** The `verbose` option adds the invalid value and the schema that it breaks. */
type AjvError = FastifySchemaValidationError & {
  data?: unknown;
  parentSchema?: { properties?: Record<string, unknown> };
};

const contexts: Record<string, string> = {
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

/** Upper bound, to limit the size of an answer. */
const MAX_PROBLEMS = 50;
/** A hostile body has more errors, which would take long to sort. */
const MAX_ERRORS = 2_000;

export function toProblems(errors: FastifySchemaValidationError[], context: string): Problem[] {
  const place = contexts[context] ?? context;
  const echo = new Echo();
  const problems = reduceUnions(errors.slice(0, MAX_ERRORS))
    .slice(0, MAX_PROBLEMS)
    .map((error) => toProblem(error, place, echo));
  return echo.inputs(problems);
}

function toProblem(error: AjvError, place: string, echo: Echo): Problem {
  const loc = [place, ...locationOf(error, echo)];
  if (error.keyword === 'additionalProperties') return unknownField(error, loc, echo);
  if (error.keyword === 'required') {
    loc.push(String(error.params['missingProperty']));
    // The fields beside it are not repeated: a misspelt one may hold a secret.
    return { type: 'missing', loc, msg: 'Field required', input: null };
  }
  // The caller chose the names in a map, so nothing is known of their values.
  const input = isInMap(error) ? null : (error.data ?? null);
  // No body.
  if (loc.length === 1 && error.keyword === 'type' && input === null) {
    return { type: 'missing', loc, msg: 'Field required', input };
  }
  const type = types[error.keyword] ?? error.keyword;
  if (error.keyword === 'type') {
    const typeName = String(error.params['type']);
    return { type: `${typeName}_type`, loc, msg: `Input should be a valid ${typeName}`, input };
  }
  if (error.keyword === 'enum') {
    const allowed = (error.params['allowedValues'] as unknown[]).map(
      (value) => `'${String(value)}'`,
    );
    return { type, loc, msg: `Input should be ${allowed.join(' or ')}`, input };
  }
  return { type, loc, msg: `Input ${error.message ?? 'is not valid'}`, input };
}

/** The value is not shown: a misspelt field may hold a secret. */
function unknownField(
  { params, parentSchema }: AjvError,
  loc: (string | number)[],
  echo: Echo,
): Problem {
  const name = String(params['additionalProperty']);
  const nearest = nearestName(name, Object.keys(parentSchema?.properties ?? {}));
  const msg = `Unknown field. The nearest known field is '${nearest}'.`;
  return { type: 'extra_forbidden', loc: [...loc, echo.name(name)], msg, input: null };
}

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

const isInMap = ({ schemaPath }: Pick<AjvError, 'schemaPath'>): boolean =>
  schemaPath.includes('/additionalProperties/');

/** `/metadata/a` -> ['metadata', 'a']; numbers are list indices. */
function locationOf({ instancePath, schemaPath }: AjvError, echo: Echo): (string | number)[] {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : part));
  const lastPart = parts.at(-1);
  if (typeof lastPart !== 'string' || !isInMap({ schemaPath })) return parts;
  return [...parts.slice(0, -1), echo.name(lastPart)];
}
