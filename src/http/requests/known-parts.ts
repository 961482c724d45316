/* The part of a body that the request log keeps: fields of the route's schema, without secrets. */
import { HIDDEN, isSecretName, shownScalar } from '../plumbing/validation/echo.ts';

/** The keywords that lead to fields. */
export type Schema = {
  type?: unknown;
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
};

/** Fields with what people say and who they are, and one-time links. */
export const PRIVATE = new Set([
  // The event of a webhook delivery, as text.
  'body',
  'content',
  'link',
  'message',
  'rating_comment',
  'speech',
  'text',
  'topic',
  'user_email',
  'user_name',
]);

const MAX_TEXT = 200;
/** The most items of a list. */
const MAX_ITEMS = 50;
/** Schemas that refer to themselves would never end. */
const MAX_LEVELS = 10;

/** Unknown fields keep their names only, and long texts their length. Bytes are hidden. */
export function knownParts(
  value: unknown,
  schemas: readonly Schema[],
  find: (id: string) => unknown,
): unknown {
  if (typeof value === 'string')
    return shownScalar(value, MAX_TEXT) ?? `[${value.length} characters]`;
  if (typeof value !== 'object' || value === null) return value;
  if (!isPlain(value)) return HIDDEN;
  const branches = schemas.flatMap((schema) => branchesOf(schema, find));
  if (Array.isArray(value)) {
    const items = branches.flatMap(({ items }) => items ?? []);
    if (items.length === 0) return HIDDEN;
    return value.slice(0, MAX_ITEMS).map((item) => knownParts(item, items, find));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const fieldSchemas = branches.flatMap(({ properties }) =>
        properties && Object.hasOwn(properties, name) ? [properties[name]!] : [],
      );
      const isShown = fieldSchemas.length > 0 && !isSecretName(name) && !PRIVATE.has(name);
      return [name, isShown ? knownParts(inner, fieldSchemas, find) : HIDDEN];
    }),
  );
}

/** Whether JSON could contain it. */
export const isPlain = (value: object): boolean =>
  Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** The schema with all its alternatives. */
function branchesOf(schema: Schema, find: (id: string) => unknown, level = 0): Schema[] {
  if (level > MAX_LEVELS) return [];
  const referredSchema =
    schema.$ref === undefined ? undefined : find(schema.$ref.replace(/#$/, ''));
  const inner = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  if (referredSchema) inner.push(referredSchema);
  return [schema, ...inner.flatMap((branch) => branchesOf(branch, find, level + 1))];
}
