import type { TSchema } from 'typebox';

/**
 * The schema, refusing unknown fields in all of its objects. For bodies that only clients of this
 * service send; published clients of other services send more fields than the interface lists.
 */
export const closed = <Schema extends TSchema>(schema: Schema): Schema => close(schema) as Schema;

function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.entries(schema).map(([name, value]) => [name, close(value)]);
  const isObject = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(inner), ...(isObject && { additionalProperties: false }) };
}
