/*
 * Ajv names every problem of every branch of a union. A caller meant one of them: what is said of the others is noise. A branch is not the
 * one that was meant when the value is of another type, or of one that it does not take, or when the constant that names the branch is another.
 */
import type { FastifySchemaValidationError } from 'fastify';

export function clearUnions(
  errors: readonly FastifySchemaValidationError[],
): FastifySchemaValidationError[] {
  // What stands inside another union is named before it.
  const union = errors.findLast(({ keyword }) => keyword === 'anyOf');
  if (!union) return [...errors];
  const isInside = ({ schemaPath }: FastifySchemaValidationError) =>
    schemaPath.startsWith(`${union.schemaPath}/`);
  const isAbout = ({ instancePath }: FastifySchemaValidationError) =>
    instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`);
  const isOfUnion = (error: FastifySchemaValidationError) => isInside(error) && isAbout(error);

  const others = errors.filter((error) => error !== union && !isOfUnion(error));
  return [...clearOne(union, errors.filter(isOfUnion)), ...clearUnions(others)];
}

function clearOne(
  union: FastifySchemaValidationError,
  inside: FastifySchemaValidationError[],
): FastifySchemaValidationError[] {
  const branches = [
    ...Map.groupBy(inside, ({ schemaPath }) =>
      schemaPath.slice(union.schemaPath.length + 1).replace(/\/.*/, ''),
    ).values(),
  ];
  const meant = branches.filter((errors) => !errors.some((error) => isOther(union, error)));
  if (meant.length > 0) return clearUnions(meant.flat());

  const names = inside.filter(({ keyword }) => keyword === 'const');
  const [first] = names;
  if (!first) return branches[0] ?? [union];
  const allowedValues = names.map(({ params }) => params['allowedValue']);
  return [{ ...first, keyword: 'enum', params: { allowedValues } }];
}

const isOther = (
  { instancePath }: FastifySchemaValidationError,
  { keyword, ...error }: FastifySchemaValidationError,
): boolean =>
  ((keyword === 'type' || keyword === 'not') && error.instancePath === instancePath) ||
  (keyword === 'const' && error.instancePath.replace(/\/[^/]*$/, '') === instancePath);
