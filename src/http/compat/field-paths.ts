import type { FieldPath } from './vendor-adapter.ts';

/** Undefined for null and for a missing value. */
export function valueAt(body: unknown, path: FieldPath): unknown {
  let value = body;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? undefined;
}

/**
 * Field paths of a body that `paths` does not cover. An object that contains some of `paths` is
 * searched, not named.
 */
export function fieldsExcept(body: object, paths: readonly FieldPath[], inside = ''): string[] {
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const path = `${inside}${name}`;
    if (value === null || paths.includes(path)) return [];
    if (!paths.some((used) => used.startsWith(`${path}.`))) return [path];
    return typeof value === 'object' ? fieldsExcept(value, paths, `${path}.`) : [path];
  });
}

/** Path as the `loc` of a problem. */
export const locOf = (path: FieldPath): string[] => ['body', ...path.split('.')];
