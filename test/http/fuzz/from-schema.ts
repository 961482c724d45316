/* Values that a schema allows, and none with a fault in it: schemathesis tries those. */
import fc, { type Arbitrary } from 'fast-check';
import type { Rules, Schema } from './document.ts';

/**
 * Value of a meaningful field by its pointer (`/video/width`, `/files/0`). Undefined: use the
 * schema alone.
 */
export type Meaning = (at: string) => Arbitrary<unknown> | undefined;

const LONGEST_TEXT = 30;

export function fromSchema(
  rules: Rules,
  unresolved: Schema,
  meaning: Meaning,
  at = '',
): Arbitrary<unknown> {
  const schema = flatten(rules, unresolved);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return fc.oneof(...branches.map((each) => fromSchema(rules, each, meaning, at)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? ['string', 'integer', 'boolean', 'null']].flat();
  return fc.oneof(...types.map((type) => ofType(rules, type, schema, meaning, at)));
}

function ofType(
  rules: Rules,
  type: string,
  schema: Schema,
  meaning: Meaning,
  at: string,
): Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectOf(rules, schema, meaning, at);
    case 'array':
      return listOf(rules, schema, meaning, `${at}/0`);
    case 'string':
      return textOf(rules, schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 });
    case 'number':
      return fc.double({
        min: schema.exclusiveMinimum ?? schema.minimum ?? -1e9,
        minExcluded: schema.exclusiveMinimum !== undefined,
        max: schema.maximum ?? 1e9,
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constant(null);
  }
}

function objectOf(rules: Rules, schema: Schema, meaning: Meaning, at: string): Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties: extraSchema } = schema;
  const valueAt = (name: string, field: Schema) =>
    meaning(`${at}/${name}`) ?? fromSchema(rules, field, meaning, `${at}/${name}`);
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, valueAt(name, field)] as const,
  );
  const record = fc.record(Object.fromEntries(fields), { requiredKeys: required });
  if (typeof extraSchema !== 'object') return record;
  const extraFields = fc.dictionary(textOf(rules, { minLength: 1 }), valueAt('*', extraSchema), {
    minKeys: schema.minProperties ?? 0,
    maxKeys: Math.max(schema.minProperties ?? 0, 3),
    noNullPrototype: true,
  });
  return fc.tuple(extraFields, record).map(([extra, ownFields]) => ({ ...extra, ...ownFields }));
}

function listOf(rules: Rules, schema: Schema, meaning: Meaning, at: string): Arbitrary<unknown[]> {
  const item = meaning(at) ?? fromSchema(rules, schema.items ?? {}, meaning, at);
  const minLength = schema.minItems ?? 0;
  const maxLength = Math.max(minLength, Math.min(schema.maxItems ?? 3, 3));
  return schema.uniqueItems
    ? fc.uniqueArray(item, { minLength, maxLength, selector: (value) => JSON.stringify(value) })
    : fc.array(item, { minLength, maxLength });
}

function textOf(rules: Rules, schema: Schema): Arbitrary<string> {
  const { minLength = 0, maxLength = LONGEST_TEXT, pattern, format } = schema;
  const fits = rules.checkOf(schema);
  const formatted = format && formats[format];
  if (formatted) return formatted.filter(fits);
  const plain = fc.string({
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength, LONGEST_TEXT)),
  });
  if (!pattern) return plain;
  // Most patterns only forbid a few characters.
  return fc.sample(plain, { numRuns: 20, seed: 1 }).every(fits)
    ? plain.filter(fits)
    : fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 60 }).filter(fits);
}

const moment = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const formats: Record<string, Arbitrary<string>> = {
  uuid: fc.uuid(),
  'date-time': moment,
  date: moment.map((text) => text.slice(0, 10)),
  uri: fc.webUrl({ withQueryParameters: true }),
  email: fc.emailAddress(),
};

/** Resolves references and merges `allOf`. */
function flatten(rules: Rules, unresolved: Schema): Schema {
  const schema = rules.resolve(unresolved);
  if (!schema.allOf) return schema;
  const { allOf, ...ownKeywords } = schema;
  const parts = [ownKeywords, ...allOf.map((part) => flatten(rules, part))];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  };
}
