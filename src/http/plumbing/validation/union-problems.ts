/*
 * Ajv reports the errors of every branch of a union. Only those of the intended branch help the
 * caller. A branch is ruled out when the value's type does not fit it or its discriminating
 * constant differs.
 */
import type { FastifySchemaValidationError } from 'fastify';

export function reduceUnions(
  errors: readonly FastifySchemaValidationError[],
): FastifySchemaValidationError[] {
  // Ajv reports inner unions before the outer one.
  const union = errors.findLast(({ keyword }) => keyword === 'anyOf');
  if (!union) return [...errors];
  const isInside = ({ schemaPath }: FastifySchemaValidationError) =>
    schemaPath.startsWith(`${union.schemaPath}/`);
  const isAbout = ({ instancePath }: FastifySchemaValidationError) =>
    instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`);
  const isOfUnion = (error: FastifySchemaValidationError) => isInside(error) && isAbout(error);

  const remaining = errors.filter((error) => error !== union && !isOfUnion(error));
  return [...reduceUnion(union, errors.filter(isOfUnion)), ...reduceUnions(remaining)];
}

function reduceUnion(
  union: FastifySchemaValidationError,
  inside: FastifySchemaValidationError[],
): FastifySchemaValidationError[] {
  const branches = [
    ...Map.groupBy(inside, ({ schemaPath }) =>
      schemaPath.slice(union.schemaPath.length + 1).replace(/\/.*/, ''),
    ).values(),
  ];
  const intended = branches.filter((errors) => !errors.some((error) => rulesOut(union, error)));
  if (intended.length > 0) return reduceUnions(intended.flat());

  const names = inside.filter(({ keyword }) => keyword === 'const');
  const [firstName] = names;
  if (!firstName) return branches[0] ?? [union];
  const allowedValues = names.map(({ params }) => params['allowedValue']);
  return [{ ...firstName, keyword: 'enum', params: { allowedValues } }];
}

const rulesOut = (
  { instancePath }: FastifySchemaValidationError,
  { keyword, ...error }: FastifySchemaValidationError,
): boolean =>
  ((keyword === 'type' || keyword === 'not') && error.instancePath === instancePath) ||
  (keyword === 'const' && error.instancePath.replace(/\/[^/]*$/, '') === instancePath);
